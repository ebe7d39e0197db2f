/** What a person typed as JSON. A text that is none, or no object, goes as it is, for the API to refuse. */
export function jsonOf(text: string): Record<string, unknown> {
  return parsed(text) as Record<string, unknown>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
