package service

import (
	"slices"
	"strings"

	"girih/atom"
)

// This file finds instructions by words that a user remembers of a name or of the PTX.

// A searchEntry is an instruction with its searched texts, in lower case.
type searchEntry struct {
	row      AtomRow
	text     string   // the name, the description and the mnemonic
	mnemonic []string // the parts of the mnemonic between its dots
}

// search returns the instructions that match all words. A word such as ldmatrix.x4.trans matches a mnemonic that
// contains the word's parts in this order, possibly with others between them. Without a match, search splits the
// words at dots, underscores and brackets. If these parts do not match either, as for
// SM90_64x128x16_F16F16F16F16_TN, search returns the instructions that share most of the types: a list of types may
// be longer or shorter than the instruction's, and the orders of the operands (TN) do not count.
func search(words []string) []AtomRow {
	all := describe()
	lower := make([]string, len(words))
	for i, w := range words {
		w, _, _ = strings.Cut(strings.ToLower(strings.TrimSuffix(w, "{}")), "<") // template arguments follow the name
		lower[i] = strings.TrimPrefix(w, "cute::")
	}
	for i, w := range words {
		if in, ok := strings.CutPrefix(strings.ToLower(w), lower[i]); ok && strings.HasPrefix(in, "<") &&
			slices.ContainsFunc(all, func(d searchEntry) bool {
				return strings.Contains(d.text, lower[i]+in)
			}) {
			lower[i] += in
		}
	}
	if rows := having(all, lower); len(rows) > 0 {
		return rows
	}
	var parts []string
	for _, w := range lower {
		parts = append(parts, strings.FieldsFunc(w, func(r rune) bool { return strings.ContainsRune("._:<>, ", r) })...)
	}
	if rows := having(all, parts); len(rows) > 0 {
		return rows
	}
	return loosely(all, parts)
}

// describe returns all instructions, MMAs first.
func describe() []searchEntry {
	var all []searchEntry
	add := func(r AtomRow, instruction string) {
		mnemonic, _, _ := strings.Cut(instruction, " ")
		text := strings.ToLower(r.Name + " " + r.Kind + " " + r.Arch + " " + r.Shape + " " + r.Types + " " + mnemonic)
		all = append(all, searchEntry{r, text, strings.Split(mnemonic, ".")})
	}
	for m := range atom.MMAs() {
		add(AtomRow{
			Name: m.Name, Kind: "mma", Arch: m.Arch, Shape: mmaShape(m), Types: mmaTypes(m),
			Threads: m.Threads(),
		}, m.Text)
	}
	for c := range atom.Copies() {
		add(copyRow(c), c.Text)
	}
	return all
}

// has reports whether the instruction contains a lower-case word; a single letter must be a part of the name.
func (d *searchEntry) has(word string) bool {
	if strings.Contains(d.text, word) && (len(word) != 1 || word[0] < 'a' || word[0] > 'z') ||
		slices.Contains(strings.Split(strings.ToLower(d.row.Name), "_"), word) {
		return true
	}
	dotted := strings.Split(strings.Trim(word, "."), ".")
	return len(dotted) > 1 && !slices.ContainsFunc(dotted, func(p string) bool { return !slices.Contains(d.mnemonic, p) })
}

// isOpcode reports whether the word is the whole mnemonic.
func (d *searchEntry) isOpcode(word string) bool {
	return slices.Equal(d.mnemonic, strings.Split(strings.TrimRight(word, "; "), "."))
}

// inOrder reports whether the mnemonic contains the parts of a word in the same order: row.col, not col.row.
func (d *searchEntry) inOrder(word string) bool {
	left := strings.Split(strings.Trim(word, "."), ".")
	for _, p := range d.mnemonic {
		if len(left) > 0 && p == left[0] {
			left = left[1:]
		}
	}
	return len(left) == 0
}

// having returns the instructions that contain all the words, given in lower case.
func having(all []searchEntry, words []string) []AtomRow {
	for _, w := range words {
		all = withWord(all, w)
	}
	rows := []AtomRow{}
	for _, d := range all {
		rows = append(rows, d.row)
	}
	return rows
}

// withWord returns the instructions that match a word best: as the whole opcode, with its parts in order, or with the
// word anywhere.
func withWord(all []searchEntry, word string) []searchEntry {
	ways := []func(*searchEntry, string) bool{(*searchEntry).isOpcode, (*searchEntry).inOrder, (*searchEntry).has}
	if !strings.Contains(word, ".") {
		ways = ways[2:]
	}
	for _, has := range ways {
		var found []searchEntry
		for i := range all {
			if has(&all[i], word) {
				found = append(found, all[i])
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// loosely returns the instructions that contain all parts except the types, and the longest prefix of the types that
// any instruction has.
func loosely(all []searchEntry, parts []string) []AtomRow {
	var fixed []string
	types := ""
	for _, p := range parts {
		switch {
		case p == "tn" || p == "nt" || p == "nn" || p == "tt":
		// f16f16f16f16, s32s8s8s32, f32bf16bf16f32
		case types == "" && len(p) > 3 && !strings.HasPrefix(p, "sm") && strings.Trim(p, "0123456789suefmbt") == "":
			types = p
		default:
			fixed = append(fixed, p)
		}
	}
	if types == "" || len(fixed) == 0 {
		return nil
	}
	for n := len(types); n > 3; n-- {
		if rows := having(all, append(slices.Clone(fixed), "_"+types[:n])); len(rows) > 0 {
			return rows
		}
	}
	return nil
}
