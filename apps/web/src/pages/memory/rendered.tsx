import Markdown, { type Components } from "react-markdown";

/** An image is replaced by its text, because loading it would contact another server. Links send no referrer. */
const COMPONENTS: Components = {
  img: ({ alt, src }) => <span>{alt || String(src ?? "")}</span>,
  a: ({ href, children }) => (
    <a href={href} rel="noopener noreferrer nofollow" target="_blank">
      {children}
    </a>
  ),
  // Headings of a text are no headings of the page.
  h1: ({ children }) => <p className="md-heading">{children}</p>,
  h2: ({ children }) => <p className="md-heading">{children}</p>,
  h3: ({ children }) => <p className="md-heading">{children}</p>,
  h4: ({ children }) => <p className="md-heading">{children}</p>,
};

/** Stored text drawn as Markdown. Markup in it is shown as the text that it is. */
export const Rendered = ({ text }: { readonly text: string }) => (
  <div className="md" dir="auto">
    <Markdown components={COMPONENTS}>{text}</Markdown>
  </div>
);
