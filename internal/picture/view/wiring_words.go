package view

import (
	"cmp"
	"fmt"
	"strings"

	"girih/internal/picture/draw"
)

// body returns the wiring. For a terminal, whose characters cannot show curves, it returns the same content
// in words.
func (w *wiringPart) body(o Options) part {
	if o.Columns > 0 {
		return textLines(w.words())
	}
	return w
}

// words lists for each leaf or bit on the left the places that it reaches, and describes each place on the right that
// is not just the end of one wire.
func (w *wiringPart) words() []string {
	boxes := w.left.leaves
	if boxes == nil {
		for i, r := range w.left.rows {
			boxes = append(boxes, group{name: r.label, from: i, to: i + 1})
		}
	}
	var names, ends []string
	wide := 0
	for _, b := range boxes {
		name := w.left.owner(b.from) + " " + b.name
		wide = max(wide, len(name))
		names, ends = append(names, name), append(ends, w.reachedPlaces(b))
	}
	var out []string
	for i, name := range names {
		out = append(out, fmt.Sprintf("%-*s → %s", wide, name, ends[i]))
	}
	last := w.columns()[len(w.more)+1]
	for i := 0; i < len(last.rows); i++ {
		note, first := last.rows[i].note, i
		one, several := map[string]string{"gap": "is a gap", "shared": "is shared"},
			map[string]string{"gap": "are gaps", "shared": "are shared"}
		for several[note] != "" && i+1 < len(last.rows) && last.rows[i+1].note == note && last.owner(i+1) == last.owner(i) {
			i++
		}
		switch {
		case note == "":
		case i > first:
			out = append(out, fmt.Sprintf("%s to %s %s", last.placeName(first), last.rows[i].label, several[note]))
		default:
			out = append(out, last.placeName(i)+" "+cmp.Or(one[note], note))
		}
	}
	return out
}

// reachedPlaces returns the places on the right that the rows of a box reach, grouped by axis: offset 1, 2, 4.
func (w *wiringPart) reachedPlaces(b group) string {
	var out []string
	axis := ""
	for _, q := range w.wires {
		if q.from < b.from || q.from >= b.to {
			continue
		}
		place := w.right.placeName(q.to)
		if q.band {
			end := w.right.rows[q.last].end
			if end == "" && q.last+1 < len(w.right.rows) {
				end = w.right.rows[q.last+1].label
			}
			place += " up to " + end
		}
		if of := w.right.owner(q.to); of == axis {
			place = strings.TrimPrefix(place, of+" ")
		} else {
			axis = of
		}
		out = append(out, place)
	}
	if len(out) == 0 {
		if stub := w.left.rows[b.from].stub; stub != "" {
			return stub
		}
		return "repeats"
	}
	return strings.Join(out, ", ")
}

// owner returns the name of the outermost bracket that contains a row, or all rows.
func (c *column) owner(i int) string {
	for _, g := range c.groups {
		if g.depth == 0 && g.from <= i && i < g.to {
			return g.name
		}
	}
	return c.title
}

// placeName returns the bracket and the label of a row.
func (c *column) placeName(i int) string {
	return strings.TrimSpace(c.owner(i) + " " + c.rows[i].label)
}

// textLines are lines of text that make up a picture.
type textLines []string

func (l textLines) measure(*painter) (w, h float64) {
	for _, line := range l {
		w = max(w, draw.TextWidth(line, textSize))
	}
	return w, lineStep * float64(len(l))
}

func (l textLines) paint(p *painter, x, y float64) {
	for i, line := range l {
		p.Text(p.ink(p.theme.Ink, textSize, draw.Start), x, y+lineStep*(float64(i)+0.5), line)
	}
}
