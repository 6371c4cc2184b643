// asio compiled once, for the whole program (ASIO_SEPARATE_COMPILATION).
#include <asio/impl/src.hpp>
