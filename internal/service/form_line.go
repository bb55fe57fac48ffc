package service

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// This file translates between requests and lines of a terminal. The help of a command has lines as examples, which
// fill the page's form; and the page shows the line with the same request as the form.

// helpExamples returns the requests of the lines in the help. Lines with files, pipes, or flags that only the command
// line has are left out.
func (o Operation) helpExamples() []json.RawMessage {
	if o.Command == nil {
		return nil
	}
	var list []json.RawMessage
	for line := range strings.Lines(o.Command.Example) {
		if fields, ok := o.requestOf(shellWords(strings.TrimSpace(line))); ok {
			text, _ := json.Marshal(fields) // strings, numbers and lists of them
			list = append(list, text)
		}
	}
	return list
}

// shellWords splits a line at blanks outside of single quotes.
func shellWords(line string) []string {
	inside := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '\'' {
			inside = !inside
		}
		return r == '\'' || r == ' ' && !inside
	})
}

// path returns the words that a command begins with.
func (o Operation) path() []string {
	name, _, _ := strings.Cut(o.Command.Use, " ")
	return slices.DeleteFunc([]string{"girih", o.Command.Parent, name}, func(s string) bool { return s == "" })
}

// flag returns the flag of a word such as --type or -m.
func (o Operation) flag(word string) (Flag, bool) {
	for _, f := range o.Command.Flags {
		if word == "--"+f.name() || f.Short != "" && word == "-"+f.Short {
			return f, true
		}
	}
	return Flag{}, false
}

// name returns the name of the flag.
func (f Flag) name() string {
	if f.Name == "" {
		return f.Field
	}
	return f.Name
}

// requestOf reads the words of a line as a request, if programs may ask for all of it. A file in place of an argument
// is not a request.
func (o Operation) requestOf(words []string) (map[string]any, bool) {
	path := o.path()
	if len(words) <= len(path) || !slices.Equal(words[:len(path)], path) {
		return nil, false
	}
	fields := map[string]any{}
	args := o.Command.Args
	for words = words[len(path):]; len(words) > 0; words = words[1:] {
		field, text := "", words[0]
		if f, ok := o.flag(text); ok {
			if field, text = f.Field, "true"; o.kindOf(field) != reflect.Bool && len(words) > 1 {
				words = words[1:]
				text = words[0]
			}
		} else if len(args) > 0 && !strings.HasPrefix(text, "-") && !isFile(text) {
			field, args = args[0], args[1:]
		}
		if o.kindOf(field) == reflect.Invalid || text == "-" {
			return nil, false
		}
		o.put(fields, field, text)
	}
	o.putDefaults(fields)
	return fields, true
}

// putDefaults sets the fields that programs have to give, and that a line may leave out.
func (o Operation) putDefaults(fields map[string]any) {
	for _, a := range o.arguments(Programs) {
		if k := o.flagOf(a.Field); fields[a.Field] == nil && a.Required && k >= 0 {
			o.put(fields, a.Field, o.Command.Flags[k].Default)
		}
	}
}

// flagOf returns the index of the flag for a field, or -1.
func (o Operation) flagOf(field string) int {
	return slices.IndexFunc(o.Command.Flags, func(f Flag) bool { return f.Field == field })
}

// isFile reports whether an argument in the help is the name of a file.
func isFile(text string) bool {
	for _, ending := range []string{".cu", ".py", ".ptx", ".log", ".litmus"} {
		if strings.HasSuffix(text, ending) {
			return true
		}
	}
	return false
}

// kindOf returns the kind of a field of the request: Slice for a list of strings only, since a list of integers is
// written as one text, and Invalid if programs do not give the field.
func (o Operation) kindOf(field string) reflect.Kind {
	for _, a := range o.arguments(Programs) {
		switch {
		case a.Field != field:
		case a.Of == reflect.TypeFor[[]int64]():
			return reflect.String
		default:
			return a.Of.Kind()
		}
	}
	return reflect.Invalid
}

// put sets a field to a text of the command line. Another text of a list follows those before.
func (o Operation) put(fields map[string]any, field, text string) {
	var value any = text
	switch o.kindOf(field) {
	case reflect.Bool:
		value = true
	case reflect.Int, reflect.Int64, reflect.Uint64:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			value = n
		}
	case reflect.Slice:
		list, _ := fields[field].([]string)
		value = append(list, text)
	}
	fields[field] = value
}

// line writes a request as a line of a terminal. It is empty if the command takes something from a file, or has no flag
// for a field.
func (o Operation) line(request any) string {
	if o.Command == nil {
		return ""
	}
	words := o.path()
	var options []string
	v := reflect.ValueOf(request).Elem()
	for _, a := range o.arguments(Terminal) {
		field := v.FieldByIndex(a.Index)
		if field.IsZero() {
			continue
		}
		k := o.flagOf(a.Field)
		switch {
		case slices.Contains(o.Command.Args, a.Field):
			words = append(words, shellQuote(field.String()))
		case k < 0:
			return ""
		default:
			options = append(options, o.Command.Flags[k].words(field)...)
		}
	}
	return strings.Join(append(words, options...), " ")
}

// words writes a flag with its value.
func (f Flag) words(v reflect.Value) []string {
	name := "--" + f.name()
	if f.Short != "" && len(f.name()) == 1 {
		name = "-" + f.Short
	}
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch list := v.Interface().(type) {
	case bool:
		return []string{name}
	case []int64:
		return []string{name, withCommas(list)}
	case []string:
		var words []string
		for _, x := range list {
			words = append(words, name, shellQuote(x))
		}
		return words
	}
	text := fmt.Sprint(v.Interface())
	if text == f.Default {
		return nil
	}
	return []string{name, shellQuote(text)}
}

// withCommas writes integers with commas between them.
func withCommas(list []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ",")
}

// shellQuote writes a text as a word of a shell.
func shellQuote(text string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-.,:@/=+%", r)
	}
	if text != "" && strings.TrimLeftFunc(text, plain) == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
