import { ownMessage } from './own-message.js';
import { readAnswer } from './model-answer.js';

const said = (content: string) => readAnswer({ choices: [{ message: { content } }] }, ['book_appointment']).content.trim();

describe('the message of a model', () => {
  it.each([
    '<|im_start|>assistant\nHello!<|im_end|>',
    '<|start_header_id|>assistant<|end_header_id|>\n\nHello!<|eot_id|>',
    '<|start|>assistant<|message|>Hello!<|end|>',
    '<start_of_turn>model\nHello!<end_of_turn>',
    '<bos><|assistant|>Hello!',
    '<|message_model|><|content_thinking|>Hm.<|end_message|><|message_model|><|content_text|>Hello!<|end_message|>',
    '<|open|>think<|sep|>Hm.<|close|>think<|sep|><|open|>response<|sep|>Hello!<|close|>response<|sep|>',
  ])('is told without the tokens around it: %s', (content) => expect(said(content)).toBe('Hello!'));

  it.each([
    '<|im_end|>\n<|im_start|>user\nAnd?',
    '<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nAnd?',
    '<end_of_turn>\n<start_of_turn>user\nAnd?',
    '<|endoftext|>Human: And?',
    '</s>[INST] And? [/INST]',
    '[|endofturn|]\n[|user|]And?',
    '<turn|>\n<|turn>user\nAnd?',
  ])('ends where it says so, whatever the model writes behind it: %s', (end) => expect(said(`Hello!${end}`)).toBe('Hello!'));

  it('may be a call', () => {
    const content =
      '<|start_header_id|>assistant<|end_header_id|>\n\n[book_appointment(service="cut")]<|eot_id|><|im_start|>tool';
    expect(readAnswer({ choices: [{ message: { content } }] }, ['book_appointment']).calls).toEqual([
      { id: '', name: 'book_appointment', args: { service: 'cut' } },
    ]);
  });

  it.each(['Hello!', 'The assistant is here', '<s>30</s> 20', '<|im_end|>', '<b>model</b>', 'a <|> b'])(
    'is left as it is: %s',
    (text) => expect(ownMessage(text)).toBe(text),
  );

  it.each(['<|open|>', '<bos>', ' ', '<|', '<a>assistant', '<|message_model|>', '<|end', '</s>'])(
    'of nothing but %s is read at once',
    (part) => {
      const began = process.cpuUsage();
      ownMessage(part.repeat(1_000_000 / part.length));
      expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
    },
  );
});
