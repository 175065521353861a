import type { ReactNode } from "react";

const icon = (drawn: ReactNode) =>
  function Icon() {
    return (
      <svg
        width="16"
        height="16"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        {drawn}
      </svg>
    );
  };

export const HomeIcon = icon(<path d="M2.5 7.5 8 2.8l5.5 4.7v6h-4v-4h-3v4h-4Z" />);
export const SearchIcon = icon(<path d="M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.6-1.4L14 14" />);
export const InboxIcon = icon(<path d="M2 9h3.5l1 2h3l1-2H14M2 9l2-6h8l2 6v4H2Z" />);
export const EntityIcon = icon(<path d="M8 1.8 13.5 5v6L8 14.2 2.5 11V5ZM8 8l5.3-3M8 8v6M8 8 2.7 5" />);
export const FileIcon = icon(<path d="M4 1.8h5L12.5 5v9.2H4ZM9 1.8V5h3.5" />);
export const WorkIcon = icon(<path d="M2.5 3.5h11v9h-11ZM5.5 8l1.7 1.7L10.6 6" />);
export const SessionIcon = icon(<path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-9.2V8l2.2 1.6" />);
export const PreviewIcon = icon(
  <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8ZM8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z" />,
);
export const PeopleIcon = icon(
  <path d="M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.8 13.5c0-2.4 1.8-4 4.2-4s4.2 1.6 4.2 4M10.5 2.8a2.4 2.4 0 0 1 0 4.5M12 9.9c1.4.6 2.2 1.9 2.2 3.6" />,
);
export const ActivityIcon = icon(<path d="M1.5 8.5H4l2-5.5 3.5 10 2-4.5h3" />);
export const InsightIcon = icon(<path d="M2.5 13.5v-4M6.2 13.5v-8M9.8 13.5V8M13.5 13.5v-11" />);
export const HealthIcon = icon(
  <path d="M8 13.5S2 10 2 5.9A3.1 3.1 0 0 1 8 4.6a3.1 3.1 0 0 1 6 1.3C14 10 8 13.5 8 13.5Z" />,
);
export const ConnectIcon = icon(
  <path d="M6.5 9.5a2.6 2.6 0 0 0 3.7 0l2.5-2.5A2.6 2.6 0 0 0 9 3.3l-.8.8M9.5 6.5a2.6 2.6 0 0 0-3.7 0L3.3 9A2.6 2.6 0 0 0 7 12.7l.8-.8" />,
);
export const PlusIcon = icon(<path d="M8 2.5v11M2.5 8h11" />);
export const ThemeIcon = icon(<path d="M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 2v12M8 5.5h4.8M8 8.5h5.9M8 11.5h3.8" />);
