const isIdentifier = (node, ...names) => node?.type === 'Identifier' && names.includes(node.name);

/** Reports the members of globals, as `Date.now`, and the imports from platform modules that `isBanned` names. */
const banning = (context, message, isBanned) => ({
  MemberExpression(node) {
    const { object, property } = node;
    if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
    if (isBanned(object.name, property.name)) context.report({ node, message });
  },
  ImportSpecifier(node) {
    const { source } = node.parent;
    if (isBanned(source.value.replace(/^node:/, ''), node.imported.name)) context.report({ node, message });
  },
});

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
]);

const ambientTime = {
  create(context) {
    const message = 'Take the time from the Clock port.';
    const report = (node) => context.report({ node, message });
    const isTimer = ({ callee }) => isIdentifier(callee, 'Date', ...TIMERS);
    return {
      ...banning(context, message, (from, name) => timeOf.get(from)?.includes(name)),
      NewExpression: (node) => isIdentifier(node.callee, 'Date') && node.arguments.length === 0 && report(node),
      CallExpression: (node) => isTimer(node) && report(node),
    };
  },
};

const ambientChance = {
  create(context) {
    const message = 'Take chance from the Ids port.';
    const isRandom = (name) => name.startsWith('random') || name === 'getRandomValues';
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

/** The linter's own rules about tests see `*.spec.ts` alone; this one sees contracts and end-to-end tests too. */
const everyTestRuns = {
  create(context) {
    const report = (node) => context.report({ node, message: 'Every test runs, always.' });
    return {
      CallExpression: (node) => isIdentifier(node.callee, ...unrunNames) && report(node),
      MemberExpression: (node) =>
        isIdentifier(node.object, 'it', 'test', 'describe') && isIdentifier(node.property, ...unrunWays) && report(node),
    };
  },
};

/** What no rule of the linter itself can say. */
export default {
  meta: { name: 'house' },
  rules: {
    'every-test-runs': everyTestRuns,
    'no-ambient-chance': ambientChance,
    'no-ambient-time': ambientTime,
    'no-export-all': exportAll,
  },
};
