import { type CSSVariablesResolver, createTheme } from "@mantine/core";
import { text } from "./i18n/index.ts";

export const theme = createTheme({
  primaryColor: "indigo",
  primaryShade: 7,
  defaultRadius: "sm",
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans CJK JP", "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace',
  // One scale: 12, 14, 16, 22.
  fontSizes: { xs: "0.75rem", sm: "0.875rem", md: "0.875rem", lg: "1rem", xl: "1.375rem" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1rem", lineHeight: "1.4" },
      h3: { fontSize: "0.875rem", lineHeight: "1.4" },
    },
  },
  cursorType: "pointer",
  components: {
    Button: { styles: { label: { fontWeight: 500 } } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": text.common.close } } },
  },
});

/** Colours with enough contrast for small text; Mantine's dimmed grey has too little. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#5d636b",
    "--mantine-color-placeholder": "#6c727a",
    "--mantine-color-error": "#c21d1d",
    "--mantine-color-red-light-color": "#c21d1d",
    "--chest-ground": "#fbfbfc",
    "--chest-line": "#e6e7ea",
    "--chest-raised": "#f3f4f6",
    "--chest-added": "#d8f3e0",
    "--chest-removed": "#fde2e2",
    "--chest-warn": "#ffe9b8",
    "--chest-mark": "#fff3c4",
  },
  dark: {
    "--mantine-color-body": "#131416",
    "--mantine-color-text": "#dcdee2",
    "--mantine-color-dimmed": "#989ea8",
    "--mantine-color-placeholder": "#8b919b",
    "--mantine-color-default": "#1d1e22",
    "--mantine-color-default-border": "#3b3e45",
    "--mantine-color-error": "#ff8f8f",
    "--mantine-color-red-light-color": "#ff9b9b",
    "--chest-ground": "#0f1011",
    "--chest-line": "#33363c",
    "--chest-raised": "#202227",
    "--chest-added": "#123c22",
    "--chest-removed": "#4a1b1f",
    "--chest-warn": "#4d3b00",
    "--chest-mark": "#4a3d12",
  },
});
