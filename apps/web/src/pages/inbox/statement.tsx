interface StatementProps {
  readonly content: string;
  /** Sentence of it that is in question. */
  readonly statement?: string | undefined;
}

/** Text of a memory, with the sentence in question marked where it stands in it. */
export function Statement({ content, statement = "" }: StatementProps) {
  const at = statement === "" ? -1 : content.indexOf(statement);
  return (
    <p className="stored" dir="auto">
      {at < 0 ? (
        content
      ) : (
        <>
          {content.slice(0, at)}
          <mark>{statement}</mark>
          {content.slice(at + statement.length)}
        </>
      )}
    </p>
  );
}
