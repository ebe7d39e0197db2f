export interface Instruction {
  readonly keyword: string;
  readonly argument: string;
}

export interface Stage {
  readonly image: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

export function stagesOf(text: string): readonly Stage[];
