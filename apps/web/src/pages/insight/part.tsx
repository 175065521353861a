import { Title } from "@mantine/core";
import type { ReactNode } from "react";

interface PartProps {
  readonly title: string;
  readonly lead?: string;
  /** Part of a part. */
  readonly isSmall?: true;
  readonly children: ReactNode;
}

export const Part = ({ title, lead, isSmall, children }: PartProps) => (
  <section>
    <Title order={isSmall ? 3 : 2} mt={isSmall ? "lg" : "xl"} mb="xs">
      {title}
    </Title>
    {lead !== undefined && <p className="lead">{lead}</p>}
    {children}
  </section>
);
