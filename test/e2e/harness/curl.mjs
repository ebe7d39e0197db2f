// Stands for curl where a page's commands are tried on a machine without it: -sS, -g, -N, -i, -H and -d.
const [headers, words] = [{}, []];
let [body, shown] = [undefined, false];
const args = process.argv.slice(2);
while (args.length > 0) {
  const word = args.shift();
  if (word === '-H') {
    const [name, ...value] = args.shift().split(': ');
    headers[name] = value.join(': ');
  } else if (word === '-d') body = args.shift();
  else if (word === '-i') shown = true;
  else if (!['-sS', '-g', '-N'].includes(word)) words.push(word);
}
const answer = await fetch(words[0], { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
if (shown)
  process.stdout.write(`HTTP/1.1 ${answer.status}\n${[...answer.headers].map((pair) => pair.join(': ')).join('\n')}\n\n`);
process.stdout.write(await answer.text());
