const isIdentifier = (node, ...names) => node?.type === 'Identifier' && names.includes(node.name);

const ambientTime = {
  create(context) {
    const report = (node) => context.report({ node, message: 'Take the time from the Clock port.' });
    return {
      NewExpression: (node) => isIdentifier(node.callee, 'Date') && node.arguments.length === 0 && report(node),
      CallExpression: (node) => isIdentifier(node.callee, 'Date') && report(node),
    };
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
  rules: { 'every-test-runs': everyTestRuns, 'no-ambient-time': ambientTime, 'no-export-all': exportAll },
};
