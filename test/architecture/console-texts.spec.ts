import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './planted-tree.js';

const folder = 'apps/console/src';
const components = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx'));

/** Attributes that are read by people, whatever their text begins with. */
const readAttributes = /^(label|title|caption|about|empty|hint|summary|placeholder|aria-label|data-label|alt)$/;

const isWord = (text: string) => /[A-Za-z]/.test(text);
/** As labels and sentences begin, and no name of a class, an attribute or a field of the API. */
const beginsSentence = (text: string) => /^[A-Z][a-z]/.test(text);

function isRead(node: ts.StringLiteralLike): boolean {
  const { parent } = node;
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return false;
  if (ts.isJsxAttribute(parent) && readAttributes.test(parent.name.getText())) return isWord(node.text);
  return beginsSentence(node.text);
}

/** The texts for people that a component has itself. */
function literalsIn(text: string): readonly string[] {
  const found: string[] = [];
  const source = ts.createSourceFile('component.tsx', text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  (function visit(node: ts.Node): void {
    if (ts.isJsxText(node) && isWord(node.text)) found.push(node.text.trim());
    if (ts.isStringLiteralLike(node) && isRead(node)) found.push(node.text);
    ts.forEachChild(node, visit);
  })(source);
  return found;
}

describe('a text of the console', () => {
  it('is in the texts of its place, and in no component', () => {
    const found = components.map((path) => [path, literalsIn(readFileSync(join(root, folder, path), 'utf8'))] as const);
    expect(components.length).toBeGreaterThan(100);
    expect(Object.fromEntries(found.filter(([, literals]) => literals.length > 0))).toEqual({});
  });

  it.each([
    ['const cell = <p>Keep it now.</p>;', ['Keep it now.']],
    ["const columns = [{ label: 'Last used' }];", ['Last used']],
    ["const facts = [['Status', 1]];", ['Status']],
    ['const field = <Field label="p95" name="name" class="row apart" />;', ['p95']],
    ["import { Time } from 'Time';\ntype Method = 'Get';\nconst method = 'GET';\nconst tone = 'good';", []],
    ['const cell = <p class="small">{WORDS.none} – {count} / 3</p>;', []],
  ])('is found in %j', (text, literals) => expect(literalsIn(text)).toEqual(literals));
});
