package view

import (
	"fmt"
	"strings"

	"girih/internal/picture/draw"
)

func outsideNote(n int) string {
	if n == 1 {
		return "1 value is outside of the tile."
	}
	return fmt.Sprintf("%d values are outside of the tile.", n)
}

// notes explain what a cell is and what is flagged. who is the prefix in a picture with several panels.
func (m *tvLook) notes(h *holders, who string) []string {
	var out []string
	if who == "" {
		if n := m.detailNote(h); n != "" {
			out = append(out, n)
		}
	}
	shared, most, none := h.sharing()
	switch example := "T0 ×4 is thread 0 and 3 others"; {
	case shared > 0 && h.even():
		if m.detail == detailGroup {
			example = "the first of them is named"
		} else if most == 2 {
			a, b := h.number(h.thread[0]), h.number(h.other[0])
			example = fmt.Sprintf("T%d,%d are threads %d and %d", a, b, a, b)
		} else {
			example = fmt.Sprintf("T0 ×%d is thread 0 and %d others", most, most-1)
		}
		out = append(out, fmt.Sprintf("%sEvery element has %d holders: %s.", who, most, example))
	case shared > 0:
		m.shared = true
		if most == 2 {
			example = "T0,64 are threads 0 and 64"
		}
		out = append(out, fmt.Sprintf("%s%s several holders, up to %d: %s.", who,
			plural(shared, "element has", "elements have"), most, example))
	}
	if none > 0 {
		out = append(out, fmt.Sprintf("%s%s held by no thread.", who, plural(none, "element is", "elements are")))
	}
	if h.outside > 0 {
		out = append(out, who+outsideNote(h.outside))
	}
	return out
}

func (m *tvLook) detailNote(h *holders) string {
	switch m.detail {
	case detailGroup:
		return m.groupNote(h)
	case detailVector:
		if n := m.rs * m.cs; n <= m.brief {
			return fmt.Sprintf("A cell is a vector: %d elements with consecutive values of one thread; V0 are its values 0 to %d.",
				n, n-1)
		}
		return fmt.Sprintf("A cell is a vector: %d elements with consecutive values of one thread.", m.rs*m.cs)
	case detailThread:
		return fmt.Sprintf("A cell is a block of %d by %d elements that one thread holds.", m.rs, m.cs)
	case detailWarp:
		if m.by == ColorValue {
			return "Too many elements to label: a square is one element; its color says as which value a thread holds it."
		}
		return "Too many elements to label: a square is one element; its color says who holds it."
	}
	return ""
}

// legend explains hue, lightness and borders.
func (m *tvLook) legend() legend {
	var l legend
	t := m.theme
	switch m.by {
	case ColorNone:
	case ColorVector:
		l.items = append(l.items,
			swatch{fills: t.Hues, text: fmt.Sprintf("vector: value over %d, modulo %d", m.run, len(t.Hues))})
	case ColorValue:
		l.items = append(l.items, m.hues("value", m.values, t.Hue))
	default:
		l.items = m.threadSwatches()
	}
	if m.vectors {
		l.items = append(l.items,
			swatch{
				fills: []draw.Color{m.theme.Paper}, border: draw.Mix(m.theme.Strong, m.theme.Paper, 0.25), thick: 1.25, text: "vector",
			})
	}
	if m.threads > m.warp {
		l.items = append(l.items,
			swatch{fills: []draw.Color{m.theme.Paper}, border: m.theme.Strong, thick: 2.5, text: fmt.Sprintf("warp of %d", m.warp)})
	}
	if m.shared {
		l.items = append(l.items, swatch{fills: []draw.Color{m.theme.Bad}, text: "several holders"})
	}
	return l
}

// threadSwatches explains fills whose hue is the thread or the warp, and what their lightness means.
func (m *tvLook) threadSwatches() []swatch {
	t := m.theme
	middle := func(i int64) draw.Color { return t.Shade(i, m.values/2, m.values) }
	if m.bands() > 1 || m.byLane() {
		middle = t.Hue
	}
	hue := m.hues("thread", m.threads, middle)
	if m.by == ColorWarp {
		hue = m.hues("warp", (m.threads+m.warp-1)/m.warp, middle)
	}
	switch n := m.bands(); {
	case n > 1:
		return []swatch{hue, m.shades("thread", n, m.threads)}
	case m.byLane():
		return []swatch{hue, m.shades("lane", m.warp/m.eight(), m.warp)}
	case m.values <= 1 || t.Classic || m.entire:
		return []swatch{hue}
	}
	s := swatch{text: fmt.Sprintf("lightness: value 0 to %d", m.values-1)}
	steps := min(m.values, 6)
	for i := range steps {
		s.fills = append(s.fills, t.Shade(0, i*(m.values-1)/max(steps-1, 1), m.values))
	}
	return []swatch{hue, s}
}

// shades says that the lightness means which eighth of n things, of a warp or of all.
func (m *tvLook) shades(what string, bands, n int64) swatch {
	s := swatch{text: fmt.Sprintf("lightness: %ss 0 to %d, %d to %d, ...", what, m.eight()-1, m.eight(), 2*m.eight()-1)}
	if bands == 2 {
		s.text = fmt.Sprintf("lightness: %ss 0 to %d, %d to %d", what, m.eight()-1, m.eight(), n-1)
	}
	for i := range bands {
		s.fills = append(s.fills, m.theme.Shade(0, i, bands))
	}
	return s
}

// runs returns ascending numbers as ranges: 0-3, 16-19.
func runs(xs []int64) string {
	var parts []string
	for i := 0; i < len(xs); {
		j := i
		for j+1 < len(xs) && xs[j+1] == xs[j]+1 {
			j++
		}
		if parts = append(parts, fmt.Sprint(xs[i])); j > i {
			parts[len(parts)-1] += fmt.Sprintf("-%d", xs[j])
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// hues says that the hue means one of n things, with the fill of each.
func (m *tvLook) hues(what string, n int64, fill func(int64) draw.Color) swatch {
	hues := min(n, int64(len(m.theme.Hues)))
	s := swatch{text: fmt.Sprintf("hue: %s 0 to %d", what, hues-1)}
	if what == "thread" && m.numbers != nil {
		s.text = "hue: thread " + runs(m.numbers)
	}
	if n > hues {
		s.text = fmt.Sprintf("hue: %s modulo %d", what, hues)
	}
	for i := range hues {
		s.fills = append(s.fills, fill(i))
	}
	return s
}
