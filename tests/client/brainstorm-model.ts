// Our own messages (protocol/README.md) in the form of the protocol's model, so that one judge serves
// both. Written from the reference, not from the code that sends them.
import type { Model, Property, Type } from "./metamodel";

const base = (name: string): Type => ({ kind: "base", name });
const ref = (name: string): Type => ({ kind: "reference", name });
const list = (element: Type): Type => ({ kind: "array", element });
const or = (...items: Type[]): Type => ({ kind: "or", items });
const text = base("string");
const count = base("uinteger");
const nullable = (type: Type): Type => or(type, base("null"));
const oneOf = (...values: string[]): Type =>
  or(...values.map((value): Type => ({ kind: "stringLiteral", value })));

// "name?" is optional.
function structure(name: string, members: Record<string, Type>): { name: string; properties: Property[] } {
  const properties = Object.entries(members).map(([key, type]) => ({
    name: key.replace(/\?$/, ""),
    type,
    optional: key.endsWith("?"),
  }));
  return { name, properties };
}

const modes = oneOf("swarm", "tournament", "team");
const states = oneOf(
  "INITIALIZED", "FRAMING", "DIVERGING", "CONVERGING", "AWAITING_USER", "COMPLETED", "FAILED", "ABORTED",
);

export const brainstormModel: Model = {
  enumerations: [],
  typeAliases: [],
  structures: [
    structure("BrainstormOption", { id: text, title: text }),
    structure("BrainstormField", {
      id: text,
      label: text,
      type: oneOf("string", "enum", "bool", "number"),
      required: base("boolean"),
      "default?": or(text, base("boolean"), base("decimal")),
      "options?": list(ref("BrainstormOption")),
    }),
    structure("BrainstormDecision", {
      id: text,
      kind: oneOf(
        "framing", "framing_timeout", "quorum", "straggler", "ceiling", "budget", "consent", "review",
        "launch", "handoff_failed", "chain_reason", "recovery", "team_plan", "team_conflict", "team_end",
      ),
      prompt: text,
      options: list(ref("BrainstormOption")),
      fields: list(ref("BrainstormField")),
      blocking: base("boolean"),
      createdAt: text,
    }),
    structure("BrainstormAgent", {
      id: text,
      state: oneOf("pending", "in_progress", "complete", "failed", "timeout"),
      elapsedMs: count,
      model: text,
      tokens: count,
      lastActivityMs: count,
      headline: text,
    }),
    structure("BrainstormUsage", {
      tokensIn: count,
      tokensOut: count,
      cached: count,
      cost: nullable(base("decimal")),
      "budget?": nullable(base("decimal")),
    }),
    structure("BrainstormFile", { name: text, uri: base("URI") }),
    structure("BrainstormInsight", {
      id: text,
      kind: oneOf("convergent", "divergent", "conflict", "blind_spot"),
      title: text,
      uri: base("URI"),
      line: count,
    }),
    structure("BrainstormSnapshot", {
      id: text,
      mode: modes,
      folder: text,
      question: text,
      stage: count,
      stages: count,
      stageName: text,
      state: states,
      cancelling: base("boolean"),
      revision: count,
      started: text,
      updated: text,
      resumable: base("boolean"),
      error: nullable(text),
      agents: list(ref("BrainstormAgent")),
      usage: ref("BrainstormUsage"),
      pendingDecisions: list(ref("BrainstormDecision")),
      files: list(ref("BrainstormFile")),
      insights: list(ref("BrainstormInsight")),
      versions: list(base("URI")),
      warnings: list(text),
    }),
    structure("BrainstormDelta", { session: text, agent: text, offset: count, text }),
    structure("BrainstormForm", {
      "session?": text,
      "decision?": text,
      title: text,
      fields: list(ref("BrainstormField")),
    }),
    structure("BrainstormFormAnswer", {
      action: oneOf("accept", "decline", "cancel"),
      "values?": { kind: "map", key: text, value: ref("LSPAny") },
    }),
    structure("BrainstormSessionRef", {
      session: text,
      state: states,
      "pendingDecisions?": list(ref("BrainstormDecision")),
    }),
    structure("BrainstormSummary", {
      id: text,
      mode: modes,
      question: text,
      state: states,
      started: text,
      updated: text,
      resumable: base("boolean"),
      pendingDecisions: list(ref("BrainstormDecision")),
      "folder?": text,
    }),
    structure("BrainstormServer", {
      version: { kind: "integerLiteral", value: 1 },
      modes: list(modes),
      commands: list(text),
    }),
    structure("BrainstormServerStatus", {
      health: oneOf("ok", "warning", "error"),
      quiescent: base("boolean"),
      message: text,
    }),
  ],
  requests: [
    {
      method: "brainstorm/input",
      messageDirection: "serverToClient",
      params: ref("BrainstormForm"),
      result: nullable(ref("BrainstormFormAnswer")),
    },
  ],
  notifications: [
    { method: "brainstorm/session", messageDirection: "serverToClient", params: ref("BrainstormSnapshot") },
    { method: "brainstorm/delta", messageDirection: "serverToClient", params: ref("BrainstormDelta") },
    {
      method: "experimental/serverStatus",
      messageDirection: "serverToClient",
      params: ref("BrainstormServerStatus"),
    },
  ],
};

/** What each command of workspace/executeCommand answers; the protocol only says "anything". */
export const commandResults: Record<string, Type> = {
  "brainstorm.start": ref("BrainstormSessionRef"),
  "brainstorm.decide": ref("BrainstormSessionRef"),
  "brainstorm.accept": ref("BrainstormSessionRef"),
  "brainstorm.resume": ref("BrainstormSessionRef"),
  "brainstorm.cancel": ref("BrainstormSessionRef"),
  "brainstorm.archive": ref("BrainstormSessionRef"),
};
