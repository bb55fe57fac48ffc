package condition

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/pattern"
)

// extents returns the extents of a tuple that a subject is about: the extent at the place that the subject names, or
// all extents.
func extents(about string, o Operand) (list []binding) {
	if reProduct.MatchString(about) {
		return productOf(about, o)
	}
	if i, ok := along(about, o); ok {
		return []binding{o.extent(i)}
	}
	if i, ok := place(about, len(o.Values)); ok && !reExcept.MatchString(about) {
		if o.Values[i] == Unknown {
			return nil
		}
		return []binding{o.extent(i)}
	}
	except := -1
	if m := reExcept.FindStringSubmatch(about); m != nil {
		switch strings.ToLower(m[1]) {
		case "last", "innermost":
			except = len(o.Values) - 1
		case "first", "outermost":
			except = 0
		default:
			return nil
		}
	}
	strides := strings.Contains(strings.ToLower(about), "stride") && slices.ContainsFunc(o.Values,
		func(x int64) bool { return x > 1 })
	for i, x := range o.Values {
		// rules about strides do not apply to the contiguous mode, whose stride is 1
		if i != except && x != Unknown && (!strides || x != 1) {
			list = append(list, o.extent(i))
		}
	}
	return list
}

const (
	reProduct = pattern.Pattern(`(?i)\b(?:product|number of elements|numel|total (?:number|size))\b`)
	reExcept  = pattern.Pattern(`(?i)\b(?:except|excluding|all but)(?: for)?(?: the)? (\w+)`)
	reModes   = pattern.Pattern(`(?:^|_|\b|[a-z])([MNKL]{2,4})$|_([mnkl]{2,4})$`)
	reMode    = pattern.Pattern(`\b(?:along (?:the )?([MNKL])\b|([MNKL])[- ](?:dimension|mode|extent|axis|dim)\b)`)
)

// productOf returns the product of the extents of a tuple, without the last extent if the subject says so.
func productOf(about string, o Operand) []binding {
	xs, label := o.Values, "the product of the extents of "+o.Name
	if m := reExcept.FindStringSubmatch(about); m != nil {
		if m[1] != "last" || len(xs) < 2 {
			return nil
		}
		xs, label = xs[:len(xs)-1], label+" but the last"
	}
	product := int64(1)
	for _, x := range xs {
		p, ok := compute("*", []int64{product, x})
		if x == Unknown || !ok {
			return nil
		}
		product = p
	}
	return []binding{{name: label, value: product, where: o.Where}}
}

// along returns the index of the mode that a subject names by its letter, if the tuple's name lists the letters of the
// modes, as TileShape_MNK does.
func along(about string, o Operand) (int, bool) {
	modes, mode := reModes.FindStringSubmatch(o.Name), reMode.FindStringSubmatch(about)
	if modes == nil || mode == nil {
		return 0, false
	}
	letters := strings.ToUpper(modes[1] + modes[2])
	i := strings.Index(letters, mode[1]+mode[2])
	return i, i >= 0 && len(letters) == len(o.Values) && o.Values[i] != Unknown
}

// place returns the index of the extent that a subject names: the last one, dimension 1, size(0).
func place(about string, n int) (int, bool) {
	words := strings.ToLower(about)
	if m := reIndexed.FindStringSubmatch(words); m != nil {
		i := 0
		fmt.Sscan(m[1], &i)
		if i < 0 {
			i += n
		}
		return i, i >= 0 && i < n
	}
	if m := rePlace.FindStringSubmatch(words); m != nil {
		i := map[byte]int{'s': n - 2, 'p': n - 2, 'l': n - 1, 't': n - 1, 'i': n - 1, 'f': 0, 'o': 0}[m[1][0]]
		return i, i >= 0 && i < n
	}
	return 0, false
}

// rankLike reports whether a subject asks for the number of modes.
func rankLike(about string) bool {
	words := " " + strings.ToLower(about) + " "
	for _, w := range []string{
		" rank ", "ndim", " dimensions of ", "number of dim", "number of modes", " dims ", " modes ", " d ", "-d ",
	} {
		if strings.Contains(words, w) {
			return true
		}
	}
	return false
}

const reParts = pattern.Pattern(`(?:\s*,\s*(?:and )?|\s+and\s+|/|\s*&\s*|\s+or\s+)`)

// parts returns the names in a subject that lists several: "M, N and K", "M/N".
func parts(about string) []string {
	about = plainName(about)
	list := strings.Split(reParts.ReplaceAllString(about, "\x00"), "\x00")
	for i, p := range list {
		list[i] = strings.TrimSpace(p)
		if !identifier(list[i]) && len(strings.Fields(list[i])) != 1 {
			return []string{about}
		}
	}
	return list
}

// byWords returns the values whose names share the most words with the subject, in the order of the text. If the
// subject says "contiguous" and the text has strides, it returns the extent of the mode with stride 1.
func byWords(about string, all []Operand) (list []binding) {
	contiguous := strings.Contains(strings.ToLower(about), "contiguous")
	for _, o := range closest(wordsOf(about), all) {
		if !o.Tuple {
			list = append(list, binding{name: o.Name, value: o.Values[0], where: o.Where, unit: o.Unit})
			continue
		}
		if !contiguous {
			list = append(list, extents(about, o)...)
			continue
		}
		if strings.Contains(strings.ToLower(o.Name), "stride") {
			continue
		}
		if i, ok := unitStride(all, len(o.Values)); ok && o.Values[i] != Unknown {
			list = append(list, o.extent(i))
		} else {
			list = append(list, extents(about, o)...)
		}
	}
	return list[:min(len(list), 12)]
}

// closest returns the operands whose names contain the most of the given words. Of operands with the same name it
// returns the first. Single letters do not count.
func closest(words []string, all []Operand) (chosen []Operand) {
	best := 0
	for _, o := range all {
		n := 0
		for _, w := range wordsOf(o.Name) {
			if slices.Contains(words, w) && len(w) > 1 {
				n++
			}
		}
		if n > best {
			best, chosen = n, nil
		}
		if n == best && n > 0 && !slices.ContainsFunc(chosen, func(c Operand) bool { return c.Name == o.Name }) {
			chosen = append(chosen, o)
		}
	}
	return chosen
}

// extent returns extent i of a tuple as a separate value, named like shape[1].
func (o *Operand) extent(i int) binding {
	return binding{name: fmt.Sprintf("%s[%d]", o.Name, i), value: o.Values[i], where: o.Where, unit: o.Unit}
}

// unitStride returns the mode with stride 1 in the strides of the text, if there is exactly one.
func unitStride(all []Operand, rank int) (mode int, ok bool) {
	for _, o := range all {
		if !o.Tuple || len(o.Values) != rank || !strings.Contains(strings.ToLower(o.Name), "stride") {
			continue
		}
		for i, x := range o.Values {
			if x != 1 {
				continue
			}
			if ok && i != mode {
				return 0, false
			}
			mode, ok = i, true
		}
	}
	return mode, ok
}

// wordsOf cuts a name into words: TileShape_MNK becomes tile, shape and mnk.
func wordsOf(text string) (list []string) {
	start := 0
	flush := func(end int) {
		if end > start {
			list = append(list, strings.ToLower(text[start:end]))
		}
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case !isName(c) || c == '_':
			flush(i)
			start = i + 1
		case i > start && c >= 'A' && c <= 'Z' && text[i-1] >= 'a' && text[i-1] <= 'z':
			flush(i)
			start = i
		}
	}
	flush(len(text))
	return list
}
