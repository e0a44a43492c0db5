import type { Dialect } from './scripted-model.ts';

interface Request {
  tools?: { functionDeclarations?: { name: string }[] }[];
  contents: { parts: { functionResponse?: unknown }[] }[];
}

/** Google's generateContent, which Gemini CLI speaks. */
export const generateContent: Dialect = {
  other: { totalTokens: 10 },
  read(path, body) {
    if (!/:(streamG|g)enerateContent/.test(path)) return undefined;
    const request = JSON.parse(body) as Request;
    return {
      tools: request.tools?.flatMap((one) => one.functionDeclarations?.map((tool) => tool.name) ?? []) ?? [],
      results: request.contents.at(-1)?.parts.flatMap((part) => part.functionResponse ?? []) ?? [],
      streams: path.includes(':streamGenerateContent'),
    };
  },
  write(step, streams) {
    const part =
      step.kind === 'call' ? { functionCall: { name: step.tool, args: step.input } } : { text: step.text };
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: 'scripted',
    };
    return streams ? [answer] : answer;
  },
};
