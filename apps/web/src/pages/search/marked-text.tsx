import { marked } from "./marks.ts";

interface MarkedTextProps {
  readonly children: string;
  readonly query: string | undefined;
}

/** Text with the words that were asked for marked. */
export const MarkedText = ({ children, query }: MarkedTextProps) =>
  query === undefined
    ? children
    : marked(children, query).map(({ said, isMarked }, at) => {
        const key = `${at} ${isMarked}`;
        return isMarked ? <mark key={key}>{said}</mark> : <span key={key}>{said}</span>;
      });
