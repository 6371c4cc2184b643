#pragma once
// What a client points at when it starts a session, turned into text.

#include "protocol/lsp.h"
#include "protocol/result.h"
#include "server/lsp/arguments.h"
#include "server/lsp/documents.h"

namespace brainstorm {

/// Fills request.context and the origin's text from open documents, else from files. Our ignore
/// rules do not apply to what a person names. invalid_argument names the item that cannot be used.
Ok fetch_material(arguments::Start& start, const Documents& documents, lsp::Encoding encoding);

}  // namespace brainstorm
