/** Rejects with a readable message when another program answers there. */
export async function jsonOf(answer) {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${new URL(answer.url).origin} is not this service: it answers ${answer.status} without JSON.`);
  }
}
