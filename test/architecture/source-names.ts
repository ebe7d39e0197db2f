import ts from 'typescript';

/** The names in a source file, without those in comments and texts. */
export interface SourceNames {
  /** Exported names in order. */
  readonly exports: readonly string[];
  readonly constants: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
  readonly identifiers: ReadonlySet<string>;
}

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

function declaredIn(statement: ts.Statement): readonly string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  }
  const { name } = statement as ts.DeclarationStatement;
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

export function namesIn(path: string, text: string): SourceNames {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const exported = source.statements.filter(isExported);
  const identifiers = new Set<string>();
  (function visit(node: ts.Node): void {
    if (ts.isIdentifier(node)) identifiers.add(node.text);
    ts.forEachChild(node, visit);
  })(source);
  return {
    exports: exported.flatMap(declaredIn),
    constants: new Set(exported.filter(ts.isVariableStatement).flatMap(declaredIn)),
    types: new Set(
      exported.filter((node) => ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)).flatMap(declaredIn),
    ),
    identifiers,
  };
}

/** `EventStore` and `MAX_EVENTS` in words of lower case. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll('_', '-')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
    .split('-');
}
