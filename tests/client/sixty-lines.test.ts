// The client that the documentation shows: it is short, and it does what it says.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Project, program } from "./client";

const project = new Project();
after(() => project.dispose());

test("sixty-lines.ts has at most sixty lines", () => {
  const text = readFileSync(join(__dirname, "..", "sixty-lines.ts"), "utf8");
  assert.ok(text.trimEnd().split("\n").length <= 60);
});

test("sixty-lines.ts runs a session to its end and cancels another", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(__dirname, "sixty-lines.js"), project.folder, "Should we replace the hand-written parser by a generator?"],
    { env: { ...project.environment, BRAINSTORM_LS: program }, timeout: 60_000 },
  );
  for (const line of [/^progress begin: \[Stage/m, /^progress report:/m, /^progress end:/m, /^cancelled: ABORTED$/m]) {
    assert.match(stdout, line);
  }
  const uri = /^synthesis: (.*)$/m.exec(stdout)?.[1] ?? "";
  assert.match(readFileSync(fileURLToPath(uri), "utf8"), /^### [CD]1 · /m);
});
