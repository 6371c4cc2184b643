// Reads what a run leaves under .workflow with readers that share nothing with the program.
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parseDocument } from "yaml";

// The same value by YAML 1.1 and 1.2: the two disagree on what is written bare and should be quoted.
function yaml(text: string, about: string): unknown {
  const values = (["1.1", "1.2"] as const).map((version) => {
    const document = parseDocument(text, { version, strict: true, uniqueKeys: true });
    const complaint = document.errors[0] ?? document.warnings[0];
    if (complaint) throw new Error(`${about}: ${complaint.message}`);
    return document.toJS({ maxAliasCount: 0 }) as unknown;
  });
  if (!isDeepStrictEqual(values[0], values[1])) throw new Error(`${about}: YAML 1.1 and 1.2 read different values`);
  return values[1];
}

/** The parsed content of one artefact; throws where an independent reader would fail. */
export function readArtefact(path: string): unknown {
  const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  if (/\.yaml(\.bak)?$/.test(path)) return yaml(text, path);
  if (path.endsWith(".json")) return JSON.parse(text) as unknown;
  if (path.endsWith(".jsonl")) {
    return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as unknown);
  }
  if (path.endsWith(".session.lock")) return text === "" ? null : yaml(text, path);
  if (path.endsWith(".md") && text.startsWith("---\n")) {
    const end = text.indexOf("\n---\n");
    if (end < 0) throw new Error(`${path}: its front matter does not end`);
    return yaml(text.slice(4, end + 1), path);
  }
  return text;
}
