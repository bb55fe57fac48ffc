package svg

import "girih/internal/picture/draw"

// appendElement appends an element with text on its own line, unless the text is empty.
func appendElement(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	b = append(append(append(b, '<'), name...), '>')
	b = appendText(b, text)
	return append(append(append(b, "</"...), name...), ">\n"...)
}

// appendLeaf ends an element that has no child except a tip.
func appendLeaf(b []byte, name, tip string) []byte {
	if tip == "" {
		return append(b, "/>\n"...)
	}
	b = appendTip(append(b, '>'), tip)
	return append(append(append(b, "</"...), name...), ">\n"...)
}

// appendTip appends a tip, if there is one.
func appendTip(b []byte, tip string) []byte {
	if tip == "" {
		return b
	}
	return append(appendText(append(b, "<title>"...), tip), "</title>"...)
}

// appendKey appends the key of a shape or group, if it has one.
func appendKey(b []byte, key string) []byte {
	if key == "" {
		return b
	}
	return append(appendText(append(b, ` data-key="`...), key), '"')
}

// appendClass appends the class of a style: c for shapes, h for the heads of arrows.
func appendClass(b []byte, kind byte, id draw.StyleID) []byte {
	b = append(append(b, ` class="`...), kind)
	return append(appendInt(b, int64(id)), '"')
}
