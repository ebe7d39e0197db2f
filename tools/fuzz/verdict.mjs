const reached = (statuses) => Object.keys(statuses).some((status) => status.startsWith('2'));
const broke = (statuses) => Object.keys(statuses).some((status) => status.startsWith('5'));

/** Test cases of the JUnit report are named after operations. */
function complainedOf(report) {
  const cases = [...report.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)];
  const failed = cases.filter(([, , inside = '']) => /<(failure|error)\b/.test(inside));
  return failed.map(([, attributes]) => /\bname="([^"]*)"/.exec(attributes)?.[1] ?? '');
}

export function judge(operations, answers, report) {
  const complaints = complainedOf(report);
  const verdicts = operations.map((operation) => {
    const statuses = answers[operation] ?? {};
    const why = [
      ...(reached(statuses) ? [] : ['never answered 2xx']),
      ...(broke(statuses) ? ['answered 5xx'] : []),
      ...(complaints.includes(operation) ? ['an answer broke the document'] : []),
    ];
    return { operation, statuses, why };
  });
  const isRead = report !== '';
  const lines = verdicts.map(({ operation, statuses, why }) => {
    const counts = Object.entries(statuses).map(([status, count]) => `${status}×${count}`);
    return `${why.length === 0 ? 'ok  ' : 'FAIL'} ${operation}  ${counts.join(' ')}${why.length > 0 ? `  ${why.join(', ')}` : ''}`;
  });
  const failed = verdicts.filter(({ why }) => why.length > 0).length;
  if (!isRead) return { lines: [...lines, 'The fuzzer wrote no report.'], passed: 0, failed: operations.length };
  return { lines, passed: operations.length - failed, failed };
}
