package document

import (
	"strings"
)

// markdown returns the code between fences. A fence named output, text or console holds what the
// cell before it prints.
func markdown(text string) (cells []Cell) {
	line, from, fence, language := 0, 0, "", ""
	var body []string
	for l := range strings.Lines(text) {
		line++
		bare := strings.TrimSpace(l)
		switch {
		case fence == "" && (strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
			language, _, _ = strings.Cut(strings.Trim(bare[len(fence):], " {}"), " ")
			from, body = line+1, nil
		case fence != "" && strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "":
			cells = addFence(cells, strings.Join(body, ""), language, from)
			fence = ""
		case fence != "":
			body = append(body, l)
		}
	}
	return cells
}

// addFence adds the code of a fence, or takes it as the output of the cell before.
func addFence(cells []Cell, src, language string, line int) []Cell {
	switch strings.ToLower(language) {
	case "output", "text", "txt", "console", "stdout":
		if n := len(cells); n > 0 && !cells[n-1].HasOutput {
			cells[n-1].Output, cells[n-1].HasOutput = src, true
		}
		return cells
	case "bash", "sh", "shell", "json", "yaml", "toml", "latex", "math", "mermaid", "ptx", "asm", "go", "diff":
		return cells
	}
	if _, known := languages[strings.ToLower(language)]; !known && !isCode(src) {
		return cells
	}
	return append(cells, Cell{Src: src, Lang: languageOf(language, src), Line: line})
}
