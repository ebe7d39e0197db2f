/** The JSON of an answer of the service. Rejects with a line for a person where something else answers at that address. */
export async function jsonOf(answer) {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(
      `${new URL(answer.url).origin} is something else than this service: it answers ${answer.status} without JSON.`,
    );
  }
}
