import assert from "node:assert/strict";
import { test } from "node:test";
import { brainstormModel } from "./brainstorm-model";
import { MetaModel, protocolModel, type Type } from "./metamodel";

const model = new MetaModel(protocolModel(), brainstormModel);
const ref = (name: string): Type => ({ kind: "reference", name });

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };

const agent = {
  id: "critic", state: "complete", elapsedMs: 12, model: "offline", tokens: 0, lastActivityMs: 9, headline: "",
};
const snapshot = {
  id: "swarm-session-1", mode: "swarm", folder: "/w", question: "Why?", stage: 2, stages: 4, stageName: "DIVERGING",
  state: "DIVERGING", cancelling: false, revision: 3, started: "2026-01-01T00:00:00Z", updated: "2026-01-01T00:00:01Z",
  resumable: false, error: null, agents: [agent], usage: { tokensIn: 0, tokensOut: 0, cached: 0, cost: null },
  pendingDecisions: [], files: [{ name: "board.md", uri: "file:///w/board.md" }], insights: [], versions: [], warnings: [],
};

// kind of message, method, params, the path that the first fault names ("" = none)
const messages: ["request" | "notification", string, unknown, string][] = [
  ["notification", "window/logMessage", { type: 3, message: "hello" }, ""],
  ["notification", "window/logMessage", { type: 99, message: "hello" }, "params.type"],
  ["notification", "window/logMessage", { type: "info", message: "hello" }, "params.type"],
  ["notification", "window/logMessage", { message: "hello" }, "params.type"],
  ["notification", "window/logMessage", { type: 3, message: 7 }, "params.message"],
  ["notification", "window/logMessage", { type: 3, message: "x", mesage: "y" }, "params.mesage"],
  ["notification", "window/logMessage", null, "params"],
  ["notification", "window/logMessage", [3, "hello"], "params"],
  ["request", "window/logMessage", { type: 3, message: "hello" }, "window/logMessage"],
  ["notification", "window/logMesage", { type: 3, message: "hello" }, "window/logMesage"],
  ["notification", "textDocument/didOpen", {}, "textDocument/didOpen"],
  ["notification", "brainstorm/unheard", {}, "brainstorm/unheard"],
  ["request", "window/workDoneProgress/create", { token: "t" }, ""],
  ["request", "window/workDoneProgress/create", { token: 1 }, ""],
  ["request", "window/workDoneProgress/create", { token: null }, "params.token"],
  ["request", "window/workDoneProgress/create", { token: 1.5 }, "params.token"],
  ["notification", "$/progress", { token: 1, value: { kind: "begin", title: "x" } }, ""],
  ["notification", "$/progress", { token: 1 }, "params.value"],
  ["request", "window/showMessageRequest", { type: 3, message: "?", actions: [{ title: "Accept" }] }, ""],
  ["request", "window/showMessageRequest", { type: 3, message: "?", actions: [{ titel: "Accept" }] },
    "params.actions[0].title"],
  ["request", "window/showMessageRequest", { type: 3, message: "?", actions: null }, "params.actions"],
  ["request", "window/showDocument", { uri: "file:///a.md", selection: range }, ""],
  ["request", "window/showDocument", { uri: "a.md" }, "params.uri"],
  ["request", "window/showDocument", { uri: "file:///a.md", selection: { start: range.start } }, "params.selection.end"],
  ["request", "workspace/codeLens/refresh", undefined, ""],
  ["request", "workspace/codeLens/refresh", null, ""],
  ["request", "workspace/codeLens/refresh", { all: true }, "workspace/codeLens/refresh"],
  ["notification", "textDocument/publishDiagnostics",
    { uri: "file:///a", diagnostics: [{ range, severity: 3, message: "x", source: "brainstorm" }] }, ""],
  ["notification", "textDocument/publishDiagnostics",
    { uri: "file:///a", diagnostics: [{ range, severity: 5, message: "x" }] }, "params.diagnostics[0].severity"],
  ["notification", "textDocument/publishDiagnostics",
    { uri: "file:///a", diagnostics: [{ range: { ...range, start: { line: -1, character: 0 } }, message: "x" }] },
    "params.diagnostics[0].range.start.line"],
  ["notification", "brainstorm/session", snapshot, ""],
  ["notification", "brainstorm/session", { ...snapshot, error: "it failed" }, ""],
  ["notification", "brainstorm/session", { ...snapshot, state: "DONE" }, "params.state"],
  ["notification", "brainstorm/session", { ...snapshot, agents: [{ ...agent, elapsedMs: -1 }] },
    "params.agents[0].elapsedMs"],
  ["notification", "brainstorm/session", { ...snapshot, agents: [{ ...agent, state: "running" }] },
    "params.agents[0].state"],
  ["notification", "brainstorm/session", { ...snapshot, files: [{ name: "x", uri: "/x" }] }, "params.files[0].uri"],
  ["notification", "brainstorm/session", { ...snapshot, elapsed: 1 }, "params.elapsed"],
  ["notification", "brainstorm/delta", { session: "s", agent: "critic", offset: 0, text: "é" }, ""],
  ["notification", "brainstorm/delta", { session: "s", agent: "critic", offset: 0.5, text: "é" }, "params.offset"],
  ["request", "brainstorm/input",
    { title: "Refine", fields: [{ id: "text", label: "What", type: "string", required: true }] }, ""],
  ["request", "brainstorm/input",
    { title: "Refine", fields: [{ id: "text", label: "What", type: "text", required: true }] }, "params.fields[0].type"],
];

for (const [kind, method, params, where] of messages) {
  test(`${kind} ${method} ${JSON.stringify(params)?.slice(0, 90)} → ${where || "fine"}`, () => {
    const faults = model.paramsFromServer(kind, method, params);
    if (where === "") assert.deepEqual(faults, []);
    else assert.ok(faults.some((it) => it.startsWith(`${where}:`)), `faults: ${JSON.stringify(faults)}`);
  });
}

// method, result, the path that a fault names ("" = none)
const results: [string, unknown, string][] = [
  ["shutdown", null, ""],
  ["shutdown", {}, "result"],
  ["initialize", { capabilities: {} }, ""],
  ["initialize", { capabilities: { positionEncoding: "utf-8", textDocumentSync: { openClose: true, change: 2 } } }, ""],
  ["initialize", { capabilities: { textDocumentSync: { openClose: true, change: 3 } } },
    "result.capabilities.textDocumentSync.change"],
  ["initialize", { capabilities: { executeCommandProvider: {} } }, "result.capabilities.executeCommandProvider.commands"],
  ["initialize", { capabilities: { hoverProvider: "yes" } }, "result.capabilities.hoverProvider"],
  ["initialize", { capabilities: {}, serverInfo: { version: "1" } }, "result.serverInfo.name"],
  ["initialize", {}, "result.capabilities"],
  ["textDocument/hover", null, ""],
  ["textDocument/hover", { contents: { kind: "markdown", value: "x" } }, ""],
  ["textDocument/hover", { contents: { kind: "html", value: "x" } }, "result.contents.kind"],
  ["textDocument/codeLens", [{ range, command: { title: "Accept", command: "brainstorm.accept" } }], ""],
  ["textDocument/codeLens", [{ range, command: { title: "Accept" } }], "result[0].command.command"],
  ["textDocument/codeAction", [{ title: "x", kind: "refactor.brainstorm" }], ""],
  ["textDocument/codeAction", [{ kind: "refactor.brainstorm" }], "result[0].title"],
  ["textDocument/documentSymbol", [{ name: "C1", kind: 13, range, selectionRange: range, children: [] }], ""],
  ["textDocument/documentSymbol", [{ name: "C1", kind: 13, range }], "result[0].selectionRange"],
  ["workspace/executeCommand", { anything: [1, "two", null] }, ""],
  ["workspace/unheard", null, "workspace/unheard"],
];

for (const [method, result, where] of results) {
  test(`answer to ${method} ${JSON.stringify(result).slice(0, 90)} → ${where || "fine"}`, () => {
    const faults = model.resultFromServer(method, result);
    if (where === "") assert.deepEqual(faults, []);
    else assert.ok(faults.some((it) => it.startsWith(`${where}:`)), `faults: ${JSON.stringify(faults)}`);
  });
}

test("every type that the models name exists, and an empty object is judged by each", () => {
  const all = protocolModel();
  for (const part of [all, brainstormModel]) {
    for (const { name } of part.structures) model.check(ref(name), {}, name);
    for (const { name } of part.typeAliases) model.check(ref(name), {}, name);
    for (const it of part.requests) model.check(it.result, {}, it.method);
  }
});
