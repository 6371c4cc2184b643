// Judges values by the protocol's own machine-readable model (lsp-metaModel.json) and, written in the
// same form, by the model of our own messages (brainstorm-model.ts). Stricter than the protocol in one
// point: a property that the model does not know is a fault, because a misspelt one is otherwise silent.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Type =
  | { kind: "base"; name: string }
  | { kind: "reference"; name: string }
  | { kind: "array"; element: Type }
  | { kind: "map"; key: Type; value: Type }
  | { kind: "and" | "or" | "tuple"; items: Type[] }
  | { kind: "literal"; value: { properties: Property[] } }
  | { kind: "stringLiteral" | "integerLiteral" | "booleanLiteral"; value: string | number | boolean };

export interface Property {
  name: string;
  type: Type;
  optional?: boolean;
}

interface Structure {
  name: string;
  properties: Property[];
  extends?: Type[];
  mixins?: Type[];
}

interface Enumeration {
  name: string;
  type: Type;
  values: { value: string | number }[];
  supportsCustomValues?: boolean;
}

type Direction = "clientToServer" | "serverToClient" | "both";

export interface RequestModel {
  method: string;
  messageDirection: Direction;
  params?: Type | Type[];
  result: Type;
}

export interface NotificationModel {
  method: string;
  messageDirection: Direction;
  params?: Type | Type[];
}

/** A part of a model: the protocol's file is one, our own messages are another. */
export interface Model {
  requests: RequestModel[];
  notifications: NotificationModel[];
  structures: Structure[];
  enumerations: Enumeration[];
  typeAliases: { name: string; type: Type }[];
}

/** The faults of a value, each "path: what is wrong"; empty when it conforms. */
export type Faults = string[];

export function protocolModel(): Model {
  return JSON.parse(readFileSync(join(__dirname, "..", "lsp-metaModel.json"), "utf8")) as Model;
}

const INT32 = 2 ** 31;

function baseFault(name: string, value: unknown): string | undefined {
  const ok = (): boolean => {
    switch (name) {
      case "string":
      case "RegExp":
        return typeof value === "string";
      case "URI":
      case "DocumentUri":
        return typeof value === "string" && /^[a-z][a-z0-9+.-]*:/i.test(value);
      case "integer":
        return Number.isInteger(value) && (value as number) >= -INT32 && (value as number) < INT32;
      case "uinteger":
        return Number.isInteger(value) && (value as number) >= 0 && (value as number) < INT32;
      case "decimal":
        return typeof value === "number" && Number.isFinite(value);
      case "boolean":
        return typeof value === "boolean";
      case "null":
        return value === null;
      default:
        throw new Error(`the model names an unknown base type: ${name}`);
    }
  };
  return ok() ? undefined : `${show(value)} is not a ${name}`;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export class MetaModel {
  private readonly structures = new Map<string, Structure>();
  private readonly enumerations = new Map<string, Enumeration>();
  private readonly aliases = new Map<string, Type>();
  private readonly requests = new Map<string, RequestModel>();
  private readonly notifications = new Map<string, NotificationModel>();
  private readonly flat = new Map<string, Map<string, Property>>();

  constructor(...models: Model[]) {
    for (const model of models) {
      for (const it of model.structures) this.structures.set(it.name, it);
      for (const it of model.enumerations) this.enumerations.set(it.name, it);
      for (const it of model.typeAliases) this.aliases.set(it.name, it.type);
      for (const it of model.requests) this.requests.set(it.method, it);
      for (const it of model.notifications) this.notifications.set(it.method, it);
    }
  }

  request(method: string): RequestModel | undefined {
    return this.requests.get(method);
  }

  notification(method: string): NotificationModel | undefined {
    return this.notifications.get(method);
  }

  /** Checks the params of a message that the server sends. */
  paramsFromServer(kind: "request" | "notification", method: string, params: unknown): Faults {
    const model = kind === "request" ? this.request(method) : this.notification(method);
    if (!model) return [`${method}: no ${kind} of the protocol or of ours`];
    if (model.messageDirection === "clientToServer") return [`${method}: only clients send this`];
    if (model.params === undefined) {
      return params === undefined || params === null ? [] : [`${method}: takes no params`];
    }
    if (Array.isArray(model.params)) throw new Error(`${method}: positional params are not used`);
    return this.check(model.params, params, "params");
  }

  /** Checks what the server answers to a request. */
  resultFromServer(method: string, result: unknown): Faults {
    const model = this.request(method);
    if (!model) return [`${method}: answered with a result, but no such request exists`];
    return this.check(model.result, result, "result");
  }

  check(type: Type, value: unknown, path: string): Faults {
    switch (type.kind) {
      case "base": {
        const fault = baseFault(type.name, value);
        return fault ? [`${path}: ${fault}`] : [];
      }
      case "reference":
        return this.checkReference(type.name, value, path);
      case "array":
        if (!Array.isArray(value)) return [`${path}: ${show(value)} is not a list`];
        return value.flatMap((it, at) => this.check(type.element, it, `${path}[${at}]`));
      case "map":
        if (!isObject(value)) return [`${path}: ${show(value)} is not an object`];
        return Object.entries(value).flatMap(([key, it]) => [
          ...this.check(type.key, key, `${path} key ${key}`),
          ...this.check(type.value, it, `${path}.${key}`),
        ]);
      case "or":
        return this.checkUnion(type.items, value, path);
      case "and":
        return this.checkProperties(this.merged(type.items), value, path);
      case "tuple":
        if (!Array.isArray(value) || value.length !== type.items.length) {
          return [`${path}: ${show(value)} is not a list of ${type.items.length}`];
        }
        return type.items.flatMap((it, at) => this.check(it, value[at], `${path}[${at}]`));
      case "literal":
        return this.checkProperties(byName(type.value.properties), value, path);
      case "stringLiteral":
      case "integerLiteral":
      case "booleanLiteral":
        return value === type.value ? [] : [`${path}: ${show(value)} is not ${show(type.value)}`];
    }
  }

  private checkReference(name: string, value: unknown, path: string): Faults {
    const alias = this.aliases.get(name);
    if (alias) {
      // The alias lists its members one by one; anything that JSON can hold is one of them.
      if (name === "LSPAny") return value === undefined ? [`${path}: missing`] : [];
      return this.check(alias, value, path);
    }
    const enumeration = this.enumerations.get(name);
    if (enumeration) return this.checkEnumeration(enumeration, value, path);
    return this.checkProperties(this.properties(name), value, path);
  }

  private checkEnumeration(enumeration: Enumeration, value: unknown, path: string): Faults {
    const faults = this.check(enumeration.type, value, path);
    if (faults.length > 0 || enumeration.supportsCustomValues) return faults;
    if (enumeration.values.some((it) => it.value === value)) return [];
    return [`${path}: ${show(value)} is no value of ${enumeration.name}`];
  }

  // One alternative must fit; of several misfits the nearest one's faults are shown.
  private checkUnion(items: Type[], value: unknown, path: string): Faults {
    let best: Faults | undefined;
    for (const item of items) {
      const faults = this.check(item, value, path);
      if (faults.length === 0) return [];
      const deeper = (it: Faults): number => Math.max(...it.map((fault) => fault.indexOf(": ")));
      if (!best || deeper(faults) > deeper(best)) best = faults;
    }
    return best ?? [`${path}: the union is empty`];
  }

  private checkProperties(known: Map<string, Property>, value: unknown, path: string): Faults {
    if (!isObject(value)) return [`${path}: ${show(value)} is not an object`];
    const faults: Faults = [];
    for (const property of known.values()) {
      const member = value[property.name];
      if (member === undefined) {
        if (!property.optional) faults.push(`${path}.${property.name}: missing`);
      } else {
        faults.push(...this.check(property.type, member, `${path}.${property.name}`));
      }
    }
    for (const name of Object.keys(value)) {
      if (!known.has(name)) faults.push(`${path}.${name}: no property of this`);
    }
    return faults;
  }

  private properties(name: string): Map<string, Property> {
    const cached = this.flat.get(name);
    if (cached) return cached;
    const structure = this.structures.get(name);
    if (!structure) throw new Error(`the model refers to an unknown type: ${name}`);
    const all = this.merged([...(structure.extends ?? []), ...(structure.mixins ?? [])]);
    for (const [key, property] of byName(structure.properties)) all.set(key, property);
    this.flat.set(name, all);
    return all;
  }

  private merged(types: Type[]): Map<string, Property> {
    const all = new Map<string, Property>();
    for (const type of types) {
      if (type.kind !== "reference" && type.kind !== "literal") {
        throw new Error(`the model combines a ${type.kind}`);
      }
      const part = type.kind === "reference" ? this.properties(type.name) : byName(type.value.properties);
      for (const [key, property] of part) all.set(key, property);
    }
    return all;
  }
}

function byName(properties: Property[]): Map<string, Property> {
  return new Map(properties.map((it) => [it.name, it]));
}
