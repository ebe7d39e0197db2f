const isIdentifier = (node, ...names) => node?.type === 'Identifier' && names.includes(node.name);

/** `a.b` or `a['b']`; undefined if computed at run time. */
const nameIn = ({ computed, property, key }) => {
  const name = property ?? key;
  return computed || name.type === 'Literal' ? name.value : name.name;
};

/** Also through `globalThis`. */
const globalIn = (node) =>
  node?.type === 'MemberExpression' && isIdentifier(node.object, 'globalThis') ? nameIn(node) : node?.name;

const moduleIn = ({ value }) => value.replace(/^node:/, '');

const banning = (context, message, isBanned) => {
  /** The local name of a module imported as a whole → its name. */
  const modules = new Map();
  const judge = (node, from, name) => isBanned(modules.get(from) ?? from, name) && context.report({ node, message });
  const named = (node, source, name) => isBanned(moduleIn(source), name) && context.report({ node, message });
  const remember = ({ local, parent }) => void modules.set(local.name, moduleIn(parent.source));
  return {
    ImportNamespaceSpecifier: remember,
    ImportDefaultSpecifier: remember,
    MemberExpression: (node) => judge(node, globalIn(node.object), nameIn(node)),
    VariableDeclarator({ id, init }) {
      if (id.type !== 'ObjectPattern') return;
      for (const part of id.properties) if (part.type === 'Property') judge(part, globalIn(init), nameIn(part));
    },
    ImportSpecifier: (node) => named(node, node.parent.source, node.imported.name),
    ExportSpecifier: (node) => node.parent.source && named(node, node.parent.source, node.local.name),
  };
};

const TIMERS = ['setTimeout', 'setInterval'];
const timeOf = new Map([
  ['Date', ['now']],
  ['AbortSignal', ['timeout']],
  ['process', ['hrtime', 'uptime']],
  ['performance', ['now', 'timeOrigin']],
  ['perf_hooks', ['performance']],
  ['globalThis', TIMERS],
  ['timers', TIMERS],
  ['timers/promises', [...TIMERS, 'scheduler']],
  ['DateTime', ['now', 'local']],
]);

const ambientTime = {
  create(context) {
    const message = 'Take the time from the Clock port.';
    const report = (node) => context.report({ node, message });
    const isTimer = ({ callee }) => isIdentifier(callee, 'Date', ...TIMERS);
    return {
      ...banning(context, message, (from, name) => timeOf.get(from)?.includes(name)),
      NewExpression: (node) => globalIn(node.callee) === 'Date' && node.arguments.length === 0 && report(node),
      CallExpression: (node) => isTimer(node) && report(node),
    };
  },
};

const ambientChance = {
  create(context) {
    const message = 'Take chance from the Ids port.';
    const isRandom = (name) => /^(random|generateKey|getRandomValues$|webcrypto$)/.test(String(name));
    return banning(context, message, (from, name) => ['Math', 'crypto'].includes(from) && isRandom(name));
  },
};

const exportAll = {
  create: (context) => ({
    ExportAllDeclaration: (node) => context.report({ node, message: 'Import names from the file that declares them.' }),
  }),
};

const unrunNames = ['fit', 'xit', 'xtest', 'fdescribe', 'xdescribe'];
const unrunWays = ['skip', 'only', 'todo', 'failing'];

/** The linter's own test rules cover `*.spec.ts` only, not contracts and end-to-end tests. */
const everyTestRuns = {
  create(context) {
    const report = (node) => context.report({ node, message: 'Every test runs, always.' });
    /** `it` in `it.each([1]).skip`. */
    const beginning = (node) => {
      if (node.type === 'CallExpression') return beginning(node.callee);
      return node.type === 'MemberExpression' ? beginning(node.object) : node;
    };
    return {
      Identifier: (node) => isIdentifier(node, ...unrunNames) && report(node),
      MemberExpression: (node) =>
        isIdentifier(beginning(node.object), 'it', 'test', 'describe') && unrunWays.includes(nameIn(node)) && report(node),
    };
  },
};

export default {
  meta: { name: 'local' },
  rules: {
    'every-test-runs': everyTestRuns,
    'no-ambient-chance': ambientChance,
    'no-ambient-time': ambientTime,
    'no-export-all': exportAll,
  },
};
