import { Fragment } from "react";

/** Path or key of a project, which breaks after its slashes rather than within a name. */
export const Parted = ({ children }: { readonly children: string }) =>
  children.split("/").map((part, at) => (
    <Fragment key={`${at} ${part}`}>
      {at > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
