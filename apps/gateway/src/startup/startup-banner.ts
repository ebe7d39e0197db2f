import type { Announcement } from '@application/projects/first-start';

/** What a person is told at the first start, and never again. */
export function firstStartText({ projectName, apiKey, adminPassword }: Announcement, address: string): string {
  const body = JSON.stringify({ external_conversation_id: 'first-thread', content: 'Hello' });
  return [
    '',
    'First start. Keep these three; they are not shown again.',
    `  Project         ${projectName}`,
    `  API key         ${apiKey}`,
    `  Admin password  ${adminPassword}`,
    '',
    'Try it:',
    `  curl -sS ${typed(`${address}/v1/messages`)} -H ${quoted(`Authorization: Bearer ${apiKey}`)} -H 'Content-Type: application/json' -d '${body}'`,
    '',
  ].join('\n');
}

/** The brackets of an IPv6 address are a pattern to zsh; what no shell reads into is left as it is. */
function typed(address: string): string {
  return /^[\w:/.-]+$/.test(address) ? address : quoted(address);
}

/** One word to a shell, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What a person is told at every start. */
export function addressesText(address: string): string {
  return [`  API             ${address}/v1`, `  API docs        ${address}/docs`, `Listening on ${address}`, ''].join('\n');
}
