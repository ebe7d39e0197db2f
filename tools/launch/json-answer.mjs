/** The JSON body of an answer. Rejects with a readable message when another program answers at that address. */
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
