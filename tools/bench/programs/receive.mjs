// Receives webhooks in a process of its own, as cheaply as it can: every path answers 200 unless it was told otherwise.
// PUT /control/answers {"<path>": status, "after <ms>" or "hang"} · PUT /control/noting true|false · GET /control/arrivals
import { createServer } from 'node:net';

const NOT_YET = -1;
const answers = new Map();
const rendered = new Map();
let arrivals = [];
let noting = false;
let received = 0;

const answerOf = (status, body = 'ok') => `HTTP/1.1 ${status} Told\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

function statusAnswer(status) {
  if (!rendered.has(status)) rendered.set(status, answerOf(status));
  return rendered.get(status);
}

const control = {
  '/control/answers': (body) => Object.entries(JSON.parse(body)).forEach(([path, answer]) => answers.set(path, answer)),
  '/control/noting': (body) => (noting = JSON.parse(body)),
  '/control/arrivals': () => {
    const told = { received, arrivals };
    arrivals = [];
    return told;
  },
};

/** What a webhook is about: the appointment and the kind of change, the first of each in its body. */
function subjectOf(body) {
  const id = body.indexOf('"apt_') + 1;
  const type = body.indexOf('"type":"') + 8;
  return `${body.slice(id, id + 30)} ${body.slice(type, body.indexOf('"', type))}`;
}

function serve(socket, { path, body, at }) {
  if (path in control) return socket.write(answerOf(200, JSON.stringify(control[path](body) ?? null)));
  received += 1;
  if (noting) arrivals.push([path, subjectOf(body), at]);
  const answer = answers.get(path) ?? 200;
  const [, ms] = /^after (\d+)$/.exec(answer) ?? [];
  if (ms) setTimeout(() => socket.write(statusAnswer(200)), Number(ms));
  else if (answer !== 'hang') socket.write(statusAnswer(answer));
}

/** The first whole request of a text; null while more has to come. */
function firstRequest(text) {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return null;
  const [, length = '0'] = /content-length: (\d+)/i.exec(text) ?? [];
  const end = head + 4 + Number(length);
  return text.length < end ? null : { path: text.split(' ', 2)[1], body: text.slice(head + 4, end), rest: text.slice(end) };
}

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  let at = NOT_YET;
  socket.setEncoding('latin1').on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    if (text === '') at = Number(process.hrtime.bigint()) / 1e6;
    text += chunk;
    for (let request = firstRequest(text); request; request = firstRequest(text)) {
      text = request.rest;
      serve(socket, { ...request, at });
    }
  });
});
server.listen(0, '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}`));
process.on('SIGTERM', () => process.exit(0));
