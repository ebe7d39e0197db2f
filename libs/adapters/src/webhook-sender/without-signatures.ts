import type { SendResult, WebhookRequest } from '@ports/webhook-sender.port';

const SIGNATURE = /\bv1[=,]([\w+/=-]{32,})/g;
const SHORTEST_SIGNATURE = 32;
const REDACTED = '[redacted]';

/** The result without signatures that the receiver repeats: a reader of the delivery log could forge webhooks with them. */
export function withoutSignatures(result: SendResult, sent: WebhookRequest['headers']): SendResult {
  if (result.kind !== 'answered') return result;
  const headers = Object.entries(result.headers);
  const texts = [result.body ?? '', ...headers.map(([, value]) => value)];
  if (texts.every(({ length }) => length < SHORTEST_SIGNATURE)) return result;
  const told = signaturesIn(sent).filter((signature) => texts.some((text) => text.includes(signature)));
  if (told.length === 0) return result;
  const redacted = (text: string) => told.reduce((rest, signature) => rest.replaceAll(signature, REDACTED), text);
  return {
    ...result,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, redacted(value)])),
    body: result.body === null ? null : redacted(result.body),
  };
}

function signaturesIn(sent: WebhookRequest['headers']): readonly string[] {
  return Object.values(sent).flatMap((value) => [...value.matchAll(SIGNATURE)].map(([, signature = '']) => signature));
}
