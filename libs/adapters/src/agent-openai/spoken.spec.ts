import { spoken } from './spoken.js';

describe('the thoughts of a model', () => {
  it.each([
    ['before its words', '<think>\nThe customer is rude.\n</think>\n\nHello!', 'Hello!'],
    ['under another name', ' <thinking>Hm.</thinking>Hello!', 'Hello!'],
    ['under any name', '<reasoning>Hm.</reasoning><thought>Hm.</thought><reflection>Hm.</reflection>Hello!', 'Hello!'],
    ['as an analysis', '<analysis>Hm.</analysis>Hello!', 'Hello!'],
    ['as a process', '<thought_process>Hm.</thought_process><thinking-process>Hm.</thinking-process>Hello!', 'Hello!'],
    ['under the name of the model', '<longcat_think>Hm.</longcat_think><seed:think>Hm.</seed:think>Hello!', 'Hello!'],
    ['as a chain', '<chain_of_thought>Hm.</chain_of_thought><innerThoughts>Hm.</innerThoughts>Hello!', 'Hello!'],
    ['under a name that nobody has seen, cut off', 'Hello! <my_inner_reasoning_v2 lang="en">Hm', 'Hello!'],
    ['under a name that nobody has seen, not begun', 'Hm.</my_inner_reasoning_v2>Hello!', 'Hello!'],
    ['between tokens with a name', '<|thinking|>Hm.<|/thinking|><|thought_start|>Hm.<|thought_end|>Hello!', 'Hello!'],
    [
      'before an answer between tokens',
      '<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>Hello!<|END_RESPONSE|>',
      'Hello!',
    ],
    ['before an answer in a tag', '<analysis>Hm.</analysis><final_answer>Hello!</final_answer>', 'Hello!'],
    ['within others of another name, cut off', '<think>A <reflection>rude</reflection> one', ''],
    ['in any case', '<THINK>Hm.</Think>Hello!', 'Hello!'],
    ['with attributes', '<think effort="low">Hm.</think>Hello!', 'Hello!'],
    ['in brackets', '[THINK]Hm.[/THINK]Hello!', 'Hello!'],
    ['between tokens', '<|START_THINKING|>Hm.<|END_THINKING|>Hello!', 'Hello!'],
    ['between triangles', '◁think▷Hm.◁/think▷Hello!', 'Hello!'],
    ['between other tokens', '<|begin_of_thought|>Hm.<|end_of_thought|><|begin_of_solution|>Hello!<|end_of_solution|>', 'Hello!'],
    ['between an inner prefix and suffix', '<|inner_prefix|>Hm.<|inner_suffix|>Hello!', 'Hello!'],
    ['in a channel of their own', '<|channel>thought\nHm.<channel|>Hello!', 'Hello!'],
    ['in words', 'Here is my thought process: Hm. Here is my response: Hello!', 'Hello!'],
    [
      'in words, before a marked answer',
      'Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\nHello!\n[END FINAL RESPONSE]',
      'Hello!',
    ],
    ['in a fence', '```thinking\nHm.\n```\nHello!', 'Hello!'],
    [
      'as a page folds them',
      '<details type="reasoning" done="true">\n<summary>Thought for 3 seconds</summary>\nHm.\n</details>\nHello!',
      'Hello!',
    ],
    ['on a pad', '<scratch_pad>Hm.</scratch_pad><cot>Hm.</cot><planning>Hm.</planning>Hello!', 'Hello!'],
    ['as a part of the message', '<|content_thinking|>Hm.<|end_message|>Hello!<|end_message|>', 'Hello!'],
    ['as steps', 'Thought: Hm.\nFinal Answer: Hello!', 'Hello!'],
    ['as an action', '{"action": "Final Answer", "action_input": "Hello!"}', 'Hello!'],
    [
      'as an action in a fence',
      'Thought: Hm.\nAction:\n```json\n{"action":"final_answer","action_input":"Hello!"}\n```',
      'Hello!',
    ],
    ['as they are shown', 'Thinking...\nHm.\n...done thinking.\n\nHello!', 'Hello!'],
    ['before a marked answer', '<think>Hm.</think>\n<answer>Hello!</answer>', 'Hello!'],
    ['in several parts', '<think>One.</think>\n<think>Two.</think>Hello!', 'Hello!'],
    ['behind the first words', 'Hello! <think>A rude one.</think>We open at 9.', 'Hello! We open at 9.'],
    ['behind the first words, cut off', 'Hello! <think>A rude one', 'Hello!'],
    ['begun twice', '<think>\n<think>A rude one.</think>Hello!', 'Hello!'],
    ['within others', '<think>A <think>rude</think> one.</think>Hello!', 'Hello!'],
    ['whose beginning was left out', 'The customer is rude.\n</think>\n\nHello!', 'Hello!'],
    ['whose beginning was left out, under any name', 'The customer is rude.[/THINK]Hello!', 'Hello!'],
    ['that were cut off', '<think>\nThe customer is', ''],
    ['that were none', '<think>\n\n</think>\n\nHello!', 'Hello!'],
  ])('are not said to the customer: %s', (_where, text, said) => expect(spoken(text).trim()).toBe(said));

  it.each([
    'Hello!',
    'Write `<think>` and then `</think>`.',
    'I think so',
    'a < think > b',
    '[THINKER]',
    'Our [analysis](https://example.com), our [reasoning](https://example.com)',
    '<analyst>Rodin</analyst>',
    'Thought: Hm.\nAction: look\nObservation: Seen.\nFinal Answer: Hello!',
    '<thinker>Rodin</thinker>',
    'The [analysis] shows: yes',
    '<Reflection Salon> is open',
    'Now <s>30</s>',
  ])('are no other words: %s', (text) => expect(spoken(text)).toBe(text));

  it.each(['<|im_end|>', '<|eot_id|>', '</s>', '<end_of_turn>\n', '<pad><pad>', ' <|return|><|endoftext|>'])(
    'end without %s',
    (end) => expect(spoken(`Hello!${end}`)).toBe('Hello!'),
  );

  it('end where a call begins', () => {
    expect(spoken('<think>I book it.\n<tool_call>{}</tool_call>')).toBe('<tool_call>{}</tool_call>');
    expect(spoken('<think>Maybe <tool_call>{}</tool_call>, no.</think>Hello!')).toBe('Hello!');
  });

  it('are found in a long text at once', () => {
    const text = '<think><analysis>'.repeat(50_000);
    expect([spoken(text), spoken(` ${'x'.repeat(1_000_000)}`).length]).toEqual(['', 1_000_001]);
    expect(spoken(text + '</analysis></think>'.repeat(50_000))).toBe('');
    expect(spoken(`Hello${'\n'.repeat(1_000_000)}you</s>`)).toHaveLength(1_000_008);
    for (const part of ['<think_', 'think_', '<a_', '<think a=', '[think]'])
      expect(spoken(`<${part.repeat(100_000)}`)).toHaveLength(part.length * 100_000 + 1);
  });
});
