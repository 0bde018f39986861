/**
 * What the project's rules need to know of a module: whom it imports and what it exports.
 *
 * @module
 */

import { type Token, tokenize } from "./tokens.ts";

/** One place where a module names another. */
export interface ModuleImport {
  /** The specifier as written. */
  readonly specifier: string;
  /**
   * `value` is loaded with the module (also `import { type A }`, which `verbatimModuleSyntax` keeps as an import),
   * `type` is erased (also a type written `import("…").Name`), `dynamic` is loaded when that line runs.
   */
  readonly kind: "value" | "type" | "dynamic";
  /** Line of the specifier, from 1. */
  readonly line: number;
}

/** One name of an export list. */
export interface ListedExport {
  /** The name that importers see. */
  readonly name: string;
  /** True for `export type { A }` and `export { type A }`. */
  readonly typeOnly: boolean;
}

/** What {@linkcode moduleFacts} finds in one module. */
export interface ModuleFacts {
  /** All imports and re-exports, in order. */
  readonly imports: readonly ModuleImport[];
  /** Names in `export { … }` lists, in order. */
  readonly listedExports: readonly ListedExport[];
  /** Lines with `export *`. */
  readonly starExports: readonly number[];
  /** Lines with a default export. */
  readonly defaultExports: readonly number[];
  /** Lines of code that is not `export … from`. */
  readonly otherCode: readonly number[];
}

/**
 * Reads one module.
 *
 * @throws {SyntaxError} When the text cannot be split into tokens.
 */
export function moduleFacts(source: string): ModuleFacts {
  return new FactReader(tokenize(source).tokens).read();
}

/** One pass over the tokens. Only `import` and `export` are understood; both are reserved words. */
class FactReader {
  readonly #tokens: readonly Token[];
  #at = 0;
  readonly #imports: ModuleImport[] = [];
  readonly #listedExports: ListedExport[] = [];
  readonly #starExports: number[] = [];
  readonly #defaultExports: number[] = [];
  readonly #otherCode: number[] = [];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): ModuleFacts {
    while (this.#at < this.#tokens.length) {
      const start = this.#token();
      if (this.#isPropertyName()) this.#other(start);
      else if (start?.text === "import" && start.kind === "word") this.#readImport(start);
      else if (start?.text === "export" && start.kind === "word") this.#readExport(start);
      else this.#other(start);
    }
    return {
      imports: this.#imports,
      listedExports: this.#listedExports,
      starExports: this.#starExports,
      defaultExports: this.#defaultExports,
      otherCode: [...new Set(this.#otherCode)],
    };
  }

  #token(offset = 0): Token | undefined {
    return this.#tokens[this.#at + offset];
  }

  #is(text: string, offset = 0): boolean {
    const token = this.#token(offset);
    return token?.text === text && (token.kind === "word" || token.kind === "punctuator");
  }

  /** `a.import`, `import:` and `import?:` name a property. */
  #isPropertyName(): boolean {
    return this.#is(".", -1) || this.#is(":", 1) || (this.#is("?", 1) && this.#is(":", 2));
  }

  #other(token: Token | undefined): void {
    if (token !== undefined && token.text !== ";") this.#otherCode.push(token.line);
    this.#at++;
  }

  #readImport(start: Token): void {
    this.#other(start);
    const next = this.#token();
    if (this.#is("(")) return this.#readCall();
    if (this.#is(".")) return; // import.meta
    if (next?.kind === "string") {
      this.#add(next.text, "value", next);
      this.#at++;
      return;
    }
    // `import type from "x"` imports a default named type.
    const typeOnly = this.#is("type") && !this.#is(",", 1) &&
      !(this.#is("from", 1) && this.#token(2)?.kind === "string");
    this.#readFrom(typeOnly);
  }

  /** `import("x")`: a call, or a type where `typeof` stands before it or a member that no promise has behind it. */
  #readCall(): void {
    const argument = this.#token(1);
    const member = this.#is(".", 3) ? this.#token(4)?.text : undefined;
    const isType = this.#is("typeof", -2) ||
      (member !== undefined && !["then", "catch", "finally"].includes(member));
    const kind = isType ? "type" : "dynamic";
    // Only a literal names a module that can be known.
    if (argument?.kind === "string") this.#add(argument.text, kind, argument);
    if (argument?.kind === "template" && argument.text.endsWith("`")) {
      this.#add(argument.text.slice(0, -1), kind, argument);
    }
  }

  #readExport(start: Token): void {
    const typeOnly = this.#is("type", 1) && (this.#is("{", 2) || this.#is("*", 2));
    const list = typeOnly ? 2 : 1;
    if (this.#is("*", list)) {
      this.#starExports.push(start.line);
      this.#readFrom(typeOnly);
    } else if (this.#is("{", list)) {
      this.#at += list + 1;
      this.#readList(typeOnly);
      if (this.#is("from")) this.#readFrom(typeOnly);
      else this.#otherCode.push(start.line);
    } else {
      if (this.#is("default", 1)) this.#defaultExports.push(start.line);
      this.#other(start);
    }
  }

  /** Reads `a, type B, c as d }`. */
  #readList(typeOnly: boolean): void {
    while (this.#token() !== undefined && !this.#is("}")) {
      const entry: Token[] = [];
      for (let token = this.#token(); token && !this.#is(",") && !this.#is("}"); token = this.#token()) {
        entry.push(token);
        this.#at++;
      }
      if (this.#is(",")) this.#at++;
      const name = entry.at(-1);
      if (name === undefined) continue;
      const markedType = entry.length > 1 && entry[0]?.text === "type" && entry[1]?.text !== "as";
      if (name.text === "default") this.#defaultExports.push(name.line);
      this.#listedExports.push({ name: name.text, typeOnly: typeOnly || markedType });
    }
    this.#at++;
  }

  /** Goes on to `from "x"` of the clause that has begun. */
  #readFrom(typeOnly: boolean): void {
    for (; this.#token() !== undefined && !this.#is(";"); this.#at++) {
      const specifier = this.#token(1);
      if (this.#is("from") && specifier?.kind === "string") {
        this.#add(specifier.text, typeOnly ? "type" : "value", specifier);
        this.#at += 2;
        if (this.#is("with")) this.#skipAttributes();
        return;
      }
    }
  }

  /** `with { type: "json" }` belongs to the statement. */
  #skipAttributes(): void {
    while (this.#token() !== undefined && !this.#is("}")) this.#at++;
    this.#at++;
  }

  #add(specifier: string, kind: ModuleImport["kind"], token: Token): void {
    this.#imports.push({ specifier, kind, line: token.line });
  }
}
