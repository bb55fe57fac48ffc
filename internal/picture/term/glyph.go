package term

// boxRune returns the box drawing character for the strokes that leave a cell.
func boxRune(box, flags uint8) rune {
	u, r, d, l := box>>up&3, box>>right&3, box>>down&3, box>>left&3
	if u == double || r == double || d == double || l == double {
		return doubleRune(u, r, d, l)
	}
	if flags&dashCell != 0 {
		switch box {
		case light<<left | light<<right:
			return '┄'
		case light<<up | light<<down:
			return '┆'
		case heavy<<left | heavy<<right:
			return '┅'
		case heavy<<up | heavy<<down:
			return '┇'
		}
	}
	if flags&roundCell != 0 {
		switch box {
		case light<<right | light<<down:
			return '╭'
		case light<<left | light<<down:
			return '╮'
		case light<<up | light<<left:
			return '╯'
		case light<<up | light<<right:
			return '╰'
		}
	}
	return plain[27*u+9*r+3*d+l]
}

// plain lists the characters for the weights (none, light, heavy) of up, right, down and left; the weight of left
// varies fastest.
var plain = []rune(" ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳" +
	"╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈" +
	"╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋")

// doubleRune returns the character for strokes if at least one is double. Unicode combines double strokes only
// with light ones, and only if opposite strokes are alike. So the other strokes become light, and opposite strokes
// become alike.
func doubleRune(u, r, d, l uint8) rune {
	v, h := 0, 0 // 0 none, 1 light, 2 double
	switch {
	case u == double || d == double:
		v = 2
	case u|d != 0:
		v = 1
	}
	switch {
	case l == double || r == double:
		h = 2
	case l|r != 0:
		h = 1
	}
	// The bits say which of up, right, down and left exist.
	arms := 0
	for i, w := range []uint8{u, r, d, l} {
		if w != 0 {
			arms |= 1 << i
		}
	}
	switch {
	case v == 0:
		return '═'
	case h == 0:
		return '║'
	case v == 2 && h == 2:
		return []rune("   ╚ ║╔╠ ╝═╩╗╣╦╬")[arms]
	case v == 2:
		return []rune("   ╙ ║╓╟ ╜─╨╖╢╥╫")[arms]
	}
	return []rune("   ╘ │╒╞ ╛═╧╕╡╤╪")[arms]
}

// boxASCII returns the ASCII character that replaces a box drawing character.
func boxASCII(box uint8) rune {
	u, r, d, l := box>>up&3, box>>right&3, box>>down&3, box>>left&3
	v, h := max(u, d), max(l, r)
	switch {
	case v == 0:
		return []rune("--==")[h]
	case h == 0:
		return []rune("||H#")[v]
	}
	return []rune("++##")[min(v, h)]
}

// shade returns the character for a filled cell without text in output without colors: the darker, the more its fill
// differs from the paper.
func (o Options) shade(difference float64) rune {
	set := []rune(" ░▒▓")
	if o.ASCII {
		set = []rune(" .:%")
	}
	switch {
	case difference < 0.04:
		return set[0]
	case difference < 0.2:
		return set[1]
	case difference < 0.4:
		return set[2]
	}
	return set[3]
}
