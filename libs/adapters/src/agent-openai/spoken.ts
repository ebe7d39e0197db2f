/** Reasoning that the server leaves at the beginning of the text, complete or cut off. */
const BLOCKS = /^(?:\s*<(think|thinking)>[\s\S]*?(?:<\/\1>|$))+/;
/** Reasoning whose opening tag is missing, since some servers put that into the prompt. */
const REST = /^(?:(?!<think>)[\s\S])*?<\/think>/;

/** The text for the customer, without the reasoning before it. */
export function spoken(text: string): string {
  return text.replace(BLOCKS, '').replace(REST, '');
}
