import type { Announcement } from '@application/installation/first-start';

/** Credentials that are shown only once, unless a setting chose them, and an example request. */
export function startupBanner({ projectName, apiKey, adminPassword }: Announcement, address: string): string {
  const body = JSON.stringify({ external_conversation_id: 'first-thread', content: 'Hello' });
  const isAnyShown = apiKey !== null || adminPassword !== null;
  const authorization =
    apiKey === null ? '"Authorization: Bearer $BOOTSTRAP_API_KEY"' : quoted(`Authorization: Bearer ${apiKey}`);
  return [
    '',
    `First start.${isAnyShown ? ' Keep what is shown here; it is not shown again.' : ''}`,
    `  Project         ${projectName}`,
    `  API key         ${apiKey ?? 'as set in BOOTSTRAP_API_KEY'}`,
    `  Admin password  ${adminPassword ?? 'as set in ADMIN_PASSWORD'}`,
    '',
    'Try it:',
    `  curl -sS ${quotedIfNeeded(`${address}/v1/messages`)} -H ${authorization} -H 'Content-Type: application/json' -H 'Idempotency-Key: first-message' -d '${body}'`,
    '',
  ].join('\n');
}

/** zsh would expand the brackets of an IPv6 address as a pattern. */
function quotedIfNeeded(address: string): string {
  return /^[\w:/.-]+$/.test(address) ? address : quoted(address);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function addressesText(address: string): string {
  return [
    `  API             ${address}/v1`,
    `  API docs        ${address}/docs`,
    `  Console         ${address}/admin/`,
    `Listening on ${address}`,
    '',
  ].join('\n');
}
