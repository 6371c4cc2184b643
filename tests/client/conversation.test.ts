// Whole conversations with the real program. Each client is one kind of editor; the judge has read every
// byte that came, and a test fails on any fault of it, whatever else it is about.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CancellationTokenSource } from "vscode-languageserver-protocol/node";
import { readArtefact } from "./artefacts";
import { Client, Project, program, type Session, type SessionRef } from "./client";

const question = "Should we replace the hand-written parser by a generator?";
const all = { question, checkpoints: "all" };

const progress = { window: { workDoneProgress: true } };
const messages = { window: { showMessage: { messageActionItem: { additionalPropertiesSupport: false } } } };
const ours = (...gates: string[]): object => ({
  experimental: { brainstorm: { version: 1, ...Object.fromEntries(gates.map((it) => [it, true])) } },
});
const rich = { ...progress, ...ours("session", "delta") };

let project: Project;
let clients: Client[];
beforeEach(() => {
  project = new Project();
  clients = [];
});
afterEach(() => {
  for (const client of clients) client.kill();
  project.dispose();
});

async function connect(capabilities: object, prepare: (client: Client) => void = () => {}): Promise<Client> {
  const client = new Client(project, capabilities);
  clients.push(client);
  client.answer("window/workDoneProgress/create", () => null);
  prepare(client);
  await client.initialize();
  return client;
}

/** Ends the conversation; fails on whatever the server did against the protocol. */
async function finish(client: Client): Promise<void> {
  const { code, faults } = await client.close();
  assert.deepEqual(faults, []);
  assert.equal(code, 0);
}

/** A second process, as a person would run it in a terminal. */
async function terminal(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args, "--folder", project.folder], {
    env: project.environment,
    cwd: project.folder,
  });
  return stdout;
}

async function refused(promise: Promise<unknown>): Promise<{ code: number; message: string; data: Record<string, string> }> {
  const error: unknown = await promise.then(
    (value) => assert.fail(`was not refused but answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  return error as { code: number; message: string; data: Record<string, string> };
}

type ProgressValue = { kind: string; title?: string; message?: string; percentage?: number };
const progressOf = (client: Client): ProgressValue[] =>
  (client.from("$/progress") as { value: ProgressValue }[]).map((it) => it.value);

async function stateOf(client: Client, id: string): Promise<{ state: string; pendingDecisions: { kind: string }[] }> {
  const answer = await client.command<{ sessions?: { id: string }[] } | { id: string }[]>("sessions", {});
  const list = Array.isArray(answer) ? answer : (answer.sessions ?? []);
  const found = list.find((it) => it.id === id);
  assert.ok(found, `brainstorm.sessions does not list ${id}`);
  return found as never;
}

test("a run from start to acceptance: progress, snapshots, a decision by wire and one by terminal", async () => {
  const client = await connect(rich);
  const started = await client.command("start", all);
  const framing = await client.untilAsked(started.session, "framing");
  assert.deepEqual(framing.options.map((it) => it.id).sort(), ["abort", "approve", "refine"]);
  await client.command("decide", { session: started.session, decision: framing.id, choice: "approve" });
  const review = await client.untilAsked(started.session, "review");
  assert.ok(review.options.some((it) => it.id === "accept"));
  await terminal("decide", started.session, "accept");
  const done = await client.untilState(started.session, "COMPLETED");

  assert.deepEqual(done.pendingDecisions, []);
  assert.deepEqual(done.agents.map((it) => it.id), ["optimist", "critic", "analyst", "innovator", "pragmatist"]);
  assert.deepEqual([...new Set(done.agents.map((it) => it.state))], ["complete"]);
  const revisions = (client.from("brainstorm/session") as Session[]).map((it) => it.revision);
  assert.deepEqual(revisions, [...revisions].sort((a, b) => a - b), "snapshots come in order");
  const kinds = progressOf(client).map((it) => it.kind);
  for (const kind of ["begin", "report", "end"]) assert.ok(kinds.includes(kind), `progress ${kind} in ${kinds}`);
  assert.match(progressOf(client).find((it) => it.kind === "begin")?.title ?? "", /^\[Stage \d\/4 - [A-Z]+\]/);
  await finish(client);
});

test("deltas carry each agent's text without gaps, counted in code points", async () => {
  const client = await connect({ ...ours("session", "delta") });
  const { session } = await client.command("start", { question: "Should 𝒳 replace the parser 🎈 of Ledger?" });
  await client.untilAsked(session, "review");
  const length = new Map<string, number>();
  for (const delta of client.from("brainstorm/delta") as { agent: string; offset: number; text: string }[]) {
    const before = length.get(delta.agent) ?? 0;
    assert.ok(delta.offset >= before, `${delta.agent} goes back from ${before} to ${delta.offset}`);
    length.set(delta.agent, delta.offset + [...delta.text].length);
  }
  assert.ok(length.size > 0, "no delta came");
  await finish(client);
});

test("every file of a run is read by independent readers, and snapshots point into them", async () => {
  const client = await connect(rich);
  const { session } = await client.command("start", { question });
  await client.untilAsked(session, "review");
  await client.command("accept", { session });
  const done = await client.untilState(session, "COMPLETED");

  const names = project.artefacts().map((path) => {
    assert.doesNotThrow(() => readArtefact(path));
    return path.slice(project.session(session).length + 1);
  });
  for (const name of [
    "workflow-state.yaml", "stage-1-framing.yaml", "context.md", "board.md", "log.jsonl", "stage-3-synthesis.md",
    "available-workflows.yaml", ...done.agents.map((it) => `perspectives/${it.id}.md`),
  ]) {
    assert.ok(names.includes(name), `${name} is missing among ${names}`);
  }
  const state = readArtefact(`${project.session(session)}/workflow-state.yaml`) as Record<string, unknown>;
  assert.equal(state.workflow_id, session);
  assert.equal(state.mode, "swarm");
  assert.equal(state.schema, 1);
  assert.equal(state.original_prompt, question);
  assert.equal(state.current_state, "COMPLETED");
  const workflows = JSON.stringify(readArtefact(`${project.session(session)}/available-workflows.yaml`));
  assert.match(workflows, /"status":"skipped"/);

  for (const { name, uri } of done.files) assert.ok(existsSync(fileURLToPath(uri)), `${name} at ${uri}`);
  assert.ok(done.insights.length > 0, "the snapshot names no insight");
  for (const { id, uri, line } of done.insights.filter((it) => /^[CD]\d/.test(it.id))) {
    const text = readFileSync(fileURLToPath(uri), "utf8").split("\n")[line] ?? "";
    assert.ok(text.startsWith(`### ${id} ·`), `${basename(uri)}:${line} is "${text}", not ${id}`);
  }
  const synthesis = readFileSync(`${project.session(session)}/stage-3-synthesis.md`, "utf8");
  const cited = [...synthesis.matchAll(/\b((?:src|docs|tests)\/[\w.]+):(\d+)/g)];
  assert.ok(cited.length > 0, "the synthesis cites no line of the project");
  for (const [, path, line] of cited) {
    const lines = readFileSync(`${project.folder}/${path}`, "utf8").split("\n").length;
    assert.ok(Number(line) >= 1 && Number(line) <= lines, `${path}:${line} of ${lines} lines`);
  }
  await finish(client);
});

test("cancel ends a session and leaves another one alone", async () => {
  const client = await connect(rich);
  const kept = await client.command("start", all);
  const cancelled = await client.command("start", all);
  await client.untilAsked(kept.session, "framing");
  const answer = await client.command("cancel", { session: cancelled.session });
  assert.equal(answer.state, "ABORTED");
  await client.untilState(cancelled.session, "ABORTED");
  const other = await stateOf(client, kept.session);
  assert.equal(other.state, "FRAMING");
  assert.deepEqual(other.pendingDecisions.map((it) => it.kind), ["framing"]);
  await finish(client);
});

test("a client without progress gets log messages", async () => {
  const client = await connect(ours("session"));
  const { session } = await client.command("start", { question });
  await client.untilAsked(session, "review");
  assert.deepEqual(client.from("window/workDoneProgress/create"), []);
  assert.ok(client.from("window/logMessage").length > 0, "nothing was logged");
  await finish(client);
});

test("a client that refuses to make progress still gets its run", async () => {
  const client = await connect(rich, (it) =>
    it.answer("window/workDoneProgress/create", () => Promise.reject(new Error("no"))));
  const { session } = await client.command("start", { question });
  await client.untilAsked(session, "review");
  assert.deepEqual(client.from("$/progress"), []);
  await finish(client);
});

test("the editor's cancel button on progress aborts the session", async () => {
  const client = await connect(rich);
  const { session } = await client.command("start", all);
  const created = await client.until("progress is made", () => client.from("window/workDoneProgress/create")[0]);
  await client.until("progress begins", () => progressOf(client).some((it) => it.kind === "begin"));
  await client.wire.sendNotification("window/workDoneProgress/cancel", { token: (created as { token: string }).token });
  await client.untilState(session, "ABORTED");
  await finish(client);
});

test("dialogs are enough: framing and review by showMessageRequest", async () => {
  type Request = { message: string; actions: { title: string }[] };
  const client = await connect({ ...messages, ...ours("session") }, (it) =>
    it.answer("window/showMessageRequest", (request: Request) => {
      for (const { title } of request.actions) assert.ok([...title].length <= 40, title);
      assert.ok(request.message.split("\n").length <= 2, request.message);
      return request.actions.find(({ title }) => /^(approve|accept)/i.test(title)) ?? null;
    }));
  const { session } = await client.command("start", all);
  await client.untilState(session, "COMPLETED");
  assert.equal(client.from("window/showMessageRequest").length, 2);
  await finish(client);
});

for (const [what, reply] of [
  ["null", () => null],
  ["an action that was never offered", () => ({ title: "Destroy" })],
  ["an error", () => Promise.reject(new Error("no dialogs today"))],
  ["nonsense", () => [1, 2, 3]],
] as [string, () => unknown][]) {
  test(`a dialog answered with ${what} changes nothing`, async () => {
    const client = await connect({ ...messages, ...ours("session") }, (it) => it.answer("window/showMessageRequest", reply));
    const { session } = await client.command("start", all);
    await client.untilAsked(session, "framing");
    // The answer is on the wire before the next request: the server has read it when that is answered.
    await client.until("the dialog is answered", () => client.answers > 0);
    await client.command("models", {});
    assert.deepEqual((await stateOf(client, session)).pendingDecisions.map((it) => it.kind), ["framing"]);
    await client.command("decide", { session, choice: "approve" });
    await client.untilAsked(session, "review");
    await finish(client);
  });
}

test("a dialog that is never answered is withdrawn when the terminal decides", async () => {
  const client = await connect({ ...messages, ...ours("session") }, (it) =>
    it.answer("window/showMessageRequest", () => new Promise(() => {})));
  const { session } = await client.command("start", all);
  await client.until("the dialog comes", () => client.from("window/showMessageRequest").length === 1);
  await terminal("decide", session, "approve");
  await client.untilAsked(session, "review");
  assert.ok(client.from("$/cancelRequest").length > 0, "the open dialog was not withdrawn");
  await finish(client);
});

test("forms are enough: framing and review by brainstorm/input", async () => {
  type Form = { session?: string; decision?: string; fields: { id: string; type: string; options?: { id: string }[] }[] };
  const client = await connect({ ...messages, ...ours("session", "input") }, (it) =>
    it.answer("brainstorm/input", (form: Form) => {
      assert.ok(form.session && form.decision, "the form names its decision");
      const choice = form.fields.find((field) => field.type === "enum");
      const option = choice?.options?.find(({ id }) => id === "approve" || id === "accept");
      assert.ok(choice && option, JSON.stringify(form));
      return { action: "accept", values: { [choice.id]: option.id } };
    }));
  const { session } = await client.command("start", all);
  await client.untilState(session, "COMPLETED");
  assert.deepEqual(client.from("window/showMessageRequest"), [], "one prompt per decision: the form");
  assert.equal(client.from("brainstorm/input").length, 2);
  await finish(client);
});

for (const reply of [null, { action: "cancel" }, { action: "decline" }, { action: "accept", values: {} }]) {
  test(`a form answered with ${JSON.stringify(reply)} changes nothing`, async () => {
    const client = await connect(ours("session", "input"), (it) => it.answer("brainstorm/input", () => reply));
    const { session } = await client.command("start", all);
    await client.untilAsked(session, "framing");
    await client.until("the form is answered", () => client.answers > 0);
    await client.command("models", {});
    assert.deepEqual((await stateOf(client, session)).pendingDecisions.map((it) => it.kind), ["framing"]);
    await finish(client);
  });
}

test("a client that declares nothing does it all by commands", async () => {
  const client = await connect({});
  const framing = await client.command("start", { ...all, wait: true });
  assert.deepEqual(framing.pendingDecisions?.map((it) => it.kind), ["framing"]);
  await client.command("decide", { session: framing.session, choice: "abort" });
  const review = await client.command("start", { question, wait: true });
  assert.deepEqual(review.pendingDecisions?.map((it) => it.kind), ["review"]);
  const accepted = await client.command("accept", { session: review.session });
  assert.equal(accepted.state, "COMPLETED");
  assert.deepEqual(client.from("window/showMessageRequest"), []);
  await finish(client);
});

test("a decision outlives its client and is answered from the next one", async () => {
  const first = await connect(rich);
  const { session } = await first.command("start", all);
  await first.untilAsked(session, "framing");
  first.kill();
  const second = await connect(rich);
  assert.deepEqual((await stateOf(second, session)).pendingDecisions.map((it) => it.kind), ["framing"]);
  await second.command("decide", { session, choice: "approve" });
  await second.untilAsked(session, "review");
  await finish(second);
});

test("the first answer wins", async () => {
  const client = await connect(rich);
  const { session } = await client.command("start", all);
  const framing = await client.untilAsked(session, "framing");
  const args = { session, decision: framing.id, choice: "approve" };
  await client.command("decide", args);
  const late = await refused(client.command("decide", args));
  assert.equal(late.code, -32803);
  assert.equal(late.data.code, "already_decided");
  await client.untilAsked(session, "review");
  await finish(client);
});

test("cancelling a start that waits cancels its session", async () => {
  const client = await connect(rich);
  const source = new CancellationTokenSource();
  const params = { command: "brainstorm.start", arguments: [{ question, wait: true }] };
  const waiting = refused(client.wire.sendRequest("workspace/executeCommand", params, source.token));
  const session = await client.until("the session appears", () => [...client.sessions.values()][0]);
  source.cancel();
  assert.equal((await waiting).code, -32800);
  await client.untilState(session.id, "ABORTED");
  await finish(client);
});

test("a dry run says what a run would take and creates nothing", async () => {
  const client = await connect(rich);
  const plan = await client.command<Record<string, unknown>>("start", { question, dryRun: true });
  assert.match(JSON.stringify(plan), /offline/);
  assert.deepEqual(project.artefacts(), []);
  await finish(client);
});

// Arguments of brainstorm.start, the code of ours that refuses them, the field it names.
const badStarts: [object, string, string?][] = [
  [{ question: "too short" }, "prompt_too_short"],
  [{ question: `Should we ${"really ".repeat(150)}?` }, "prompt_too_long"],
  [{ question: "Should password=hunter22hunter22 be in the repository?" }, "prompt_prohibited"],
  [{}, "invalid_argument", "question"],
  [{ question: 7 }, "invalid_argument", "question"],
  [{ question, checkpoints: "some" }, "invalid_argument", "checkpoints"],
  [{ question, mode: "monologue" }, "invalid_argument", "mode"],
];

for (const [args, code, field] of badStarts) {
  test(`start ${JSON.stringify(args).slice(0, 70)} is refused as ${code}`, async () => {
    const client = await connect(rich);
    const error = await refused(client.command("start", args));
    assert.equal(error.data.code, code);
    assert.ok(error.data.hint, "a hint says what to do");
    if (field) assert.match(error.data.field ?? "", new RegExp(`${field}$`));
    assert.doesNotMatch(JSON.stringify(error), /hunter22/);
    assert.deepEqual(project.artefacts().filter((it) => it.includes("session")), []);
    await finish(client);
  });
}

test("what else commands answer", async () => {
  const client = await connect({ ...rich, window: { ...progress.window, showDocument: { support: true } } }, (it) =>
    it.answer("window/showDocument", () => ({ success: true })));
  const { session } = await client.command("start", { question });
  await client.untilAsked(session, "review");
  const shown = JSON.stringify(await client.command("show", { session, what: "synthesis" }));
  assert.match(shown, /file:\/\/.*stage-3-synthesis\.md/);
  assert.match(JSON.stringify(client.from("window/showDocument")), /stage-3-synthesis\.md/);
  assert.match(JSON.stringify(await client.command("models", {})), /offline/);
  assert.match(JSON.stringify(await client.command("doctor", {})), /"status"/);
  assert.match(JSON.stringify(await client.command("doctor", { session })), /AWAITING_USER|review/i);
  const missing = await refused(client.command("show", { session: "swarm-session-20200101-000000-00000000" }));
  assert.equal(missing.data.code, "session_not_found");
  const archived = await client.command<SessionRef>("archive", { session });
  assert.equal(archived.session, session);
  assert.ok(!existsSync(project.session(session)));
  await finish(client);
});

test("an unknown command is refused and the server lives", async () => {
  const client = await connect({});
  const error = await refused(client.command("unheard", {}));
  assert.ok([-32601, -32602].includes(error.code), `code ${error.code}`);
  await finish(client);
});
