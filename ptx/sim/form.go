package sim

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"girih/ptx"
)

// A form is a pattern of formTexts for one opcode. A row reads only the modifiers that it knows. If a row can read an
// instruction, but no form fits, the instruction is refused, since no GPU runs it.
type form struct {
	words []formWord
	least int // the oldest architecture with this form, 0 for any
}

// A formWord contains the alternatives for one word of a pattern. Each alternative is a list of modifiers that must
// occur together.
type formWord struct {
	choices  [][]modifier
	optional bool
}

type modifier struct {
	text string
	typ  bool
}

func newModifier(text string) modifier { return modifier{text, ptx.Type(text).Bits() != 0} }

// forms are the patterns by opcode.
var forms = sync.OnceValue(func() map[string][]form {
	all := map[string][]form{}
	for _, text := range formTexts {
		text, at, _ := strings.Cut(text, "@")
		least, _ := strconv.Atoi(at)
		words := formWords(formNames.Replace(text))
		for _, name := range words[0].choices {
			all[name[0].text] = append(all[name[0].text], form{words[1:], least})
		}
	}
	return all
})

// formWords splits a pattern into words.
func formWords(text string) (words []formWord) {
	for text != "" {
		word, rest, _ := strings.Cut(text, ".")
		if text[0] == '[' {
			word, rest, _ = strings.Cut(text[1:], "]")
			rest = strings.TrimPrefix(rest, ".")
		}
		var w formWord
		w.optional = word[0] == '|'
		for choice := range strings.SplitSeq(strings.TrimPrefix(word, "|"), "|") {
			var c []modifier
			for text := range strings.SplitSeq(choice, ".") {
				c = append(c, newModifier(text))
			}
			w.choices = append(w.choices, c)
		}
		words, text = append(words, w), rest
	}
	return words
}

// String returns the alternatives.
func (w formWord) String() string {
	var all []string
	for _, c := range w.choices {
		var one []string
		for _, m := range c {
			one = append(one, m.text)
		}
		all = append(all, strings.Join(one, "."))
	}
	if len(all) == 1 {
		return "." + all[0]
	}
	return ".[" + strings.Join(all, "|") + "]"
}

// match returns 0 if f fits mods. Otherwise the result grows with each word without a modifier and each modifier
// without a word. match calls near, which may be nil, for each word that is required or has a fitting choice; the
// choice is -1 if none fits.
func (f *form) match(mods []modifier, near func(w formWord, choice int)) (wrong int) {
	var used uint64
	for _, w := range f.words {
		chosen := -1
		for i, c := range w.choices {
			if u, ok := take(mods, used, c); ok {
				chosen, used = i, u
				break
			}
		}
		if chosen < 0 && w.optional {
			continue
		}
		if chosen < 0 {
			wrong++
		}
		if near != nil {
			near(w, chosen)
		}
	}
	return wrong + 2*(len(mods)-bits.OnesCount64(used))
}

// take returns used with the modifiers of choice added, if all of them are present. A type must be the first type
// of mods that is not used.
func take(mods []modifier, used uint64, choice []modifier) (uint64, bool) {
	for _, c := range choice {
		i := 0
		for i < len(mods) && (used>>i&1 == 1 || mods[i].text != c.text && (!c.typ || !mods[i].typ)) {
			i++
		}
		if i == len(mods) || mods[i].text != c.text {
			return used, false
		}
		used |= 1 << i
	}
	return used, true
}

// exists returns an error if PTX has no instruction with these modifiers and types, or if only newer targets have such
// an instruction. Opcodes without forms pass, and so do asynchronous instructions.
func (d *decoder) exists(o *opcode) error {
	list := forms()[o.name]
	if list == nil || o.Op.Has("async") || o.Op.Has("bulk") {
		return nil
	}
	var mods []modifier
	for _, m := range o.mods {
		if !strings.HasPrefix(m, "L1::") && !strings.HasPrefix(m, "L2::") {
			mods = append(mods, newModifier(m))
		}
	}
	best, least := 0, 1<<30
	for i := range list {
		if wrong := list[i].match(mods, nil); wrong < least {
			best, least = i, wrong
		}
	}
	if least == 0 {
		return d.needs(o, list[best].least)
	}
	near := o.name
	list[best].match(mods, func(w formWord, choice int) {
		if choice >= 0 {
			w.choices = w.choices[choice : choice+1]
		}
		near += w.String()
	})
	return fmt.Errorf("PTX has no %s: the nearest form is %s", o.Op, near)
}
