// The text of the model: CodeMirror with TOML, problems at their lines. What is typed is sent after a short rest; what the
// server says replaces only the characters that differ, so that the cursor stays.
import { autocompletion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Transaction } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  type Tooltip,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Problem, Vocabulary } from "./messages";

const REST = 180; // milliseconds after the last key

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--warn)" },
  { tag: [tags.propertyName, tags.definition(tags.name)], color: "var(--accent)" },
  { tag: tags.bracket, color: "var(--ink)" },
]);
const LOOKS = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "var(--paper)", color: "var(--ink)" },
  ".cm-scroller": { fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace", lineHeight: "1.45" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--quiet)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in oklab, var(--accent), transparent 92%)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklab, var(--accent), transparent 75%) !important",
  },
  ".cm-tooltip": { backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", maxWidth: "46ch" },
});
// Names of tables behind "[", kinds behind type =, references within quotes, keys elsewhere.
function complete(context: CompletionContext, kinds: string[], words: Vocabulary): CompletionResult | null {
  const word = context.matchBefore(/[\w.]*/);
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  if (!word || (word.from === word.to && !context.explicit && !/["[]$/.test(before))) return null;
  const from = word.from;
  const list = (labels: string[], type: string): CompletionResult => ({
    from,
    options: labels.map((label) => ({ label, type })),
  });
  if (/^\s*\[\s*[\w.]*$/.test(before)) return list(Object.keys(words).filter(Boolean), "class");
  if (/^\s*type\s*=\s*"\w*$/.test(before))
    return list([...kinds, "kinematics", "inverse", "simulate", "statics"], "type");
  if ((before.match(/"/g) ?? []).length % 2 === 1) return list(references(context.state.doc.toString()), "variable");
  const keys = words[tableAt(context.state.doc.toString(), context.pos)] ?? words[""] ?? {};
  const options = Object.entries(keys).filter(([label]) => label);
  return /^\s*\w*$/.test(before)
    ? { from, options: options.map(([label, info]) => ({ label, info, type: "property" })) }
    : null;
}

// The table that a place of the text is in; "" before the first.
function tableAt(text: string, at: number): string {
  const headers = [...text.slice(0, at).matchAll(/^\s*\[+\s*(\w+)/gm)];
  return headers.length ? headers[headers.length - 1][1] : "";
}

// What a key or a table means, shown over it.
function explain(view: EditorView, at: number, words: Vocabulary): Tooltip | null {
  const line = view.state.doc.lineAt(at);
  const key = /^(\s*\[*\s*)(\w+)/.exec(line.text);
  if (!key) return null;
  const [from, to] = [line.from + key[1].length, line.from + key[0].length];
  if (at < from || at > to) return null;
  const heads = key[1].includes("[");
  const text = heads ? words[key[2]]?.[""] : words[tableAt(view.state.doc.toString(), at)]?.[key[2]];
  if (!text) return null;
  return {
    pos: from,
    end: to,
    create: () => ({ dom: Object.assign(document.createElement("div"), { className: "meaning", textContent: text }) }),
  };
}

function references(text: string): string[] {
  const out: string[] = [];
  for (const [, body, rest] of text.matchAll(/^\[body\.(\w+)\]([\s\S]*?)(?=^\[|(?![\s\S]))/gm)) {
    out.push(
      body,
      ...Array.from(/points\s*=\s*\{([^}]*)\}/.exec(rest)?.[1].matchAll(/(\w+)\s*=/g) ?? [], (m) => `${body}.${m[1]}`),
    );
  }
  return out;
}

// The smallest replacement that leads from one text to another.
function replacement(from: string, to: string): { from: number; to: number; insert: string } {
  const most = Math.min(from.length, to.length);
  let [start, end] = [0, 0];
  while (start < most && from[start] === to[start]) start++;
  while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) end++;
  return { from: start, to: from.length - end, insert: to.slice(start, to.length - end) };
}

export class Editor {
  readonly view: EditorView;
  kinds: string[] = []; // of joints and forces, as the server knows them
  vocabulary: Vocabulary = {}; // tables and keys of the file, with their meaning
  private timer = 0;
  private known = ""; // the text that the server has

  constructor(
    parent: HTMLElement,
    private typed: (text: string) => void,
    keys: { undo(): void; redo(): void; line(number: number): void },
  ) {
    const run = (action: () => void) => (): boolean => {
      this.flush();
      action();
      return true;
    };
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          lintGutter(),
          drawSelection(),
          highlightActiveLine(),
          bracketMatching(),
          highlightSelectionMatches(),
          StreamLanguage.define(toml),
          syntaxHighlighting(COLOURS),
          autocompletion({ override: [(context) => complete(context, this.kinds, this.vocabulary)] }),
          hoverTooltip((view, at) => explain(view, at, this.vocabulary)),
          LOOKS,
          keymap.of([
            { key: "Mod-z", run: run(keys.undo), preventDefault: true },
            { key: "Mod-y", run: run(keys.redo), preventDefault: true },
            { key: "Mod-Shift-z", run: run(keys.redo), preventDefault: true },
            ...searchKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "text of the model" }),
          EditorView.updateListener.of((update) => {
            if (update.selectionSet && this.view.hasFocus)
              keys.line(update.state.doc.lineAt(update.state.selection.main.head).number);
            if (!update.docChanged || update.transactions.some((one) => one.annotation(Transaction.remote))) return;
            clearTimeout(this.timer);
            this.timer = window.setTimeout(() => this.flush(), REST);
          }),
        ],
      }),
    });
  }

  // Sends what was typed at once.
  flush(): void {
    clearTimeout(this.timer);
    const text = this.text;
    if (text === this.known) return;
    this.known = text;
    this.typed(text);
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  // The text as the server has it; characters that are the same stay, and so does the cursor. What was typed meanwhile
  // stays too, unless both changed the same place: then it is sent, and undo brings the other change back.
  load(text: string): void {
    const [before, plain, now] = [this.known, text.replace(/\r\n/g, "\n"), this.text];
    this.known = plain;
    if (plain === now || plain === before) return;
    let changes = replacement(before, plain);
    if (now !== before) {
      const own = replacement(before, now);
      const longer = now.length - before.length;
      if (changes.from > own.to) changes = { ...changes, from: changes.from + longer, to: changes.to + longer };
      else if (changes.to >= own.from) return;
    }
    this.view.dispatch({ changes, annotations: Transaction.remote.of(true) });
  }

  problems(problems: Problem[]): void {
    const { doc } = this.view.state;
    const found: Diagnostic[] = problems.map(({ line, text, severity }) => {
      const { from, to } = doc.line(Math.min(Math.max(line, 1), doc.lines));
      return { from, to, severity, message: text };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  // Brings a line into view.
  reveal(line: number): void {
    const { doc } = this.view.state;
    const { from } = doc.line(Math.min(Math.max(line, 1), doc.lines));
    if (this.view.hasFocus) return;
    this.view.dispatch({ selection: { anchor: from } });
    const { scrollDOM } = this.view; // the text alone is scrolled: on a phone the page stays at the drawing
    scrollDOM.scrollTop = this.view.lineBlockAt(from).top - scrollDOM.clientHeight / 2;
  }
}
