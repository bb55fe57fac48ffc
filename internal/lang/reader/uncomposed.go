package reader

import (
	"fmt"
	"strings"

	"girih/internal/pattern"
)

// This file notes a swizzle next to a layout with no o between them: the text has no composed layout, but one may be
// meant.

const (
	swizzleBefore = pattern.Pattern(`\b(?:Sw|S|Swizzle)<\s*_?\d+\s*,\s*_?\d+\s*,\s*_?-?\d+\s*>(?:\{\})?$`)
	swizzleBehind = pattern.Pattern(`^(?:Sw|S|Swizzle)<\s*_?\d+\s*,\s*_?\d+\s*,\s*_?-?\d+\s*>(?:\{\})?`)
)

// swizzleGap limits the distance to a swizzle, in bytes.
const swizzleGap = 64

// noteSwizzles adds a note to each layout with a swizzle right before or after it, separated only by blanks, or on the
// line before.
func noteSwizzles(src string, items []Item) {
	for i := range items {
		it := &items[i]
		if it.Kind != KindLayout {
			continue
		}
		before := strings.TrimRight(src[max(0, it.Start-swizzleGap):it.Start], " \t\r\n")
		behind := strings.TrimLeft(src[it.End:min(len(src), it.End+swizzleGap)], " \t")
		w := ""
		if strings.HasSuffix(before, ">") || strings.HasSuffix(before, "}") {
			w = swizzleBefore.FindString(before)
		}
		if w == "" && strings.HasPrefix(behind, "S") {
			w = swizzleBehind.FindString(behind)
		}
		if w != "" {
			it.Notes = append(it.Notes[:len(it.Notes):len(it.Notes)],
				fmt.Sprintf("%s is next to the layout without an o between them: it was not composed", w))
		}
	}
}
