package view

import (
	"fmt"

	"girih/draw"
)

func outsideNote(n int) string {
	if n == 1 {
		return "1 value lies outside of the tile."
	}
	return fmt.Sprintf("%d values lie outside of the tile.", n)
}

// notes says what a cell is and what is flagged. who is put in front where a picture has several panels.
func (m *tvLook) notes(h *holders, who string) []string {
	var out []string
	if who == "" {
		if n := m.detailNote(); n != "" {
			out = append(out, n)
		}
	}
	shared, most, none := h.shared()
	switch example := "T0+3 is thread 0 and 3 others"; {
	case shared > 0 && h.even():
		if most == 2 {
			example = fmt.Sprintf("T%d,%d are threads %d and %d", h.thread[0], h.other[0], h.thread[0], h.other[0])
		} else {
			example = fmt.Sprintf("T0+%d is thread 0 and %d others", most-1, most-1)
		}
		out = append(out, fmt.Sprintf("%sEvery element has %d holders: %s.", who, most, example))
	case shared > 0:
		m.shared = true
		if most == 2 {
			example = "T0,64 are threads 0 and 64"
		}
		out = append(out, fmt.Sprintf("%s%s several holders, up to %d: %s.", who, counted(shared, "element has", "elements have"), most, example))
	}
	if none > 0 {
		out = append(out, fmt.Sprintf("%s%s held by no thread.", who, counted(none, "element is", "elements are")))
	}
	if h.outside > 0 {
		out = append(out, who+outsideNote(h.outside))
	}
	return out
}

func (m *tvLook) detailNote() string {
	switch m.detail {
	case detailVector:
		return fmt.Sprintf("A cell is a vector: %d elements with consecutive values of one thread.", m.rs*m.cs)
	case detailThread:
		return fmt.Sprintf("A cell is a block of %d by %d elements that one thread holds.", m.rs, m.cs)
	case detailWarp:
		return "Too many elements to label: a square is one element; its color says who holds it."
	}
	return ""
}

// legend says what hue, lightness and borders mean.
func (m *tvLook) legend() legend {
	var l legend
	unit, what := int64(1), "thread"
	if m.by == ColorWarp {
		unit, what = m.warp, "warp"
	}
	n := (m.threads + unit - 1) / unit
	hues := min(n, int64(len(m.theme.Hues)))
	switch m.by {
	case ColorNone:
	case ColorVector:
		l.items = append(l.items, swatch{fills: m.theme.Hues, text: fmt.Sprintf("vector: value over %d, modulo %d", m.run, len(m.theme.Hues))})
	default:
		s := swatch{text: fmt.Sprintf("hue: %s 0 to %d", what, hues-1)}
		if n > hues {
			s.text = fmt.Sprintf("hue: %s modulo %d", what, hues)
		}
		for i := range hues {
			s.fills = append(s.fills, m.theme.Shade(i, m.values/2, m.values))
		}
		l.items = append(l.items, s)
		if m.values > 1 && !m.theme.Classic {
			s := swatch{text: fmt.Sprintf("lightness: value 0 to %d", m.values-1)}
			steps := min(m.values, 6)
			for i := range steps {
				s.fills = append(s.fills, m.theme.Shade(0, i*(m.values-1)/max(steps-1, 1), m.values))
			}
			l.items = append(l.items, s)
		}
	}
	if m.vectors {
		l.items = append(l.items, swatch{fills: []draw.Color{m.theme.Paper}, border: draw.Mix(m.theme.Strong, m.theme.Paper, 0.25), thick: 1.25, text: "vector"})
	}
	if m.threads > m.warp {
		l.items = append(l.items, swatch{fills: []draw.Color{m.theme.Paper}, border: m.theme.Strong, thick: 2.5, text: fmt.Sprintf("warp of %d", m.warp)})
	}
	if m.shared {
		l.items = append(l.items, swatch{fills: []draw.Color{m.theme.Bad}, text: "several holders"})
	}
	return l
}
