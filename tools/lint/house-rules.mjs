const isIdentifier = (node, name) => node?.type === 'Identifier' && node.name === name;

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

/** What no rule of the linter itself can say. */
export default {
  meta: { name: 'house' },
  rules: { 'no-ambient-time': ambientTime, 'no-export-all': exportAll },
};
