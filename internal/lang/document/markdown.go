package document

import (
	"strings"

	"girih/internal/pattern"
)

// prompt begins what a reader has typed in a terminal, with the output below: $ python main.py, or (base) ➜ ~ ls.
const prompt = pattern.Pattern(`^\s*(?:\([\w.-]+\)\s*)?(?:[\w.-]+@[\w.-]+\S*\s*)?[$➜❯]\s`)

// markdown reads the code between fences. A fence named output, text or console holds what the cell before it prints.
func (d *Document) markdown(text string) {
	line, from, fence, head := 0, 0, "", ""
	var body []string
	var prose strings.Builder
	for l := range strings.Lines(text) {
		line++
		bare := strings.TrimSpace(l)
		switch {
		case fence == "" && (strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~")):
			fence = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))]
			from, body, head = line+1, nil, l
		case fence != "" && strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]) == "":
			language, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(head)[len(fence):], " {}"), " ")
			if !d.addFence(strings.Join(body, ""), language, from, &prose) {
				prose.WriteString(head + strings.Join(body, "") + l)
			}
			fence = ""
		case fence != "":
			body = append(body, l)
		default:
			prose.WriteString(l)
		}
	}
	if fence != "" { // a fence without an end
		prose.WriteString(head + strings.Join(body, ""))
	}
	d.Rest = prose.String()
}

// addFence adds the code of a fence, with the prose before it, or takes it as the output of the cell before. It returns
// false if the fence is neither.
func (d *Document) addFence(src, language string, line int, prose *strings.Builder) bool {
	language = strings.ToLower(language)
	if _, known := languages[language]; !known && hasShapes(src) {
		language = "girih" // whatever the label of the fence is; CuTe's documentation says text
	}
	switch language {
	case "output", "text", "txt", "console", "stdout":
		n := len(d.Cells)
		if n == 0 || d.Cells[n-1].HasOutput {
			return false
		}
		d.Cells[n-1].Output, d.Cells[n-1].HasOutput = src, true
		return true
	case "bash", "sh", "shell", "json", "yaml", "toml", "latex", "math", "mermaid", "ptx", "asm", "go", "diff":
		return false
	}
	if _, known := languages[language]; !known && (prompt.MatchString(src) || !isCode(src)) {
		return false
	}
	d.Cells = append(d.Cells, Cell{Prose: prose.String(), Src: src, Lang: languageOf(language, src), Line: line})
	prose.Reset()
	return true
}
