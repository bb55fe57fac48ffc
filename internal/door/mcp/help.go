package mcp

import (
	"fmt"
	"slices"
	"strings"

	"girih/internal/service"
)

// help answers with the help of the service, after the help of a tool or an argument with that name.
func (t tool) help(s *service.Session, args []byte) answer {
	request, e := t.Read(s, service.Assistants, args)
	if e != nil {
		return t.refuse(e)
	}
	a := t.Ask(s, request, service.Assistants)
	r := withTools(a.Response.(service.HelpResponse), strings.TrimSpace(request.(*service.HelpRequest).Name))
	a.Response, a.OK, a.Error = r, r.OK, r.Error
	a.Text = func() string { return r.Text(service.WideText) }
	return answerText(a)
}

// withTools adds the help of tools and arguments to the help of the service on a name.
func withTools(r service.HelpResponse, name string) service.HelpResponse {
	all := tools()
	for _, t := range all {
		if !service.SameName(t.Name, name) {
			continue
		}
		topic := t.topic()
		if r.OK { // the service documents the same name
			topic.Lines = append(topic.Lines, "")
			topic.Lines = append(topic.Lines, strings.Split(strings.TrimRight(r.Text(service.WideText), "\n"), "\n")...)
		}
		return service.HelpResponse{OK: true, Topic: topic}
	}
	switch {
	case name == "":
		r.Topic.Lines = append(r.Topic.Lines, "", "tools:")
		for _, t := range all {
			r.Topic.Lines = append(r.Topic.Lines, fmt.Sprintf("  %-10s %s", t.Name, t.Tool.Title))
		}
	case !r.OK:
		if topic := argumentTopic(name, all); topic != nil {
			return service.HelpResponse{OK: true, Topic: topic}
		}
		var names []string
		for _, t := range all {
			names = append(names, t.Name)
		}
		if near := service.Nearest(name, names); near != "" && !slices.Contains(r.Suggestions, near) {
			r.Suggestions = append([]string{near}, r.Suggestions...)
		}
		if len(r.Suggestions) > 0 {
			r.Error.Hint = "perhaps " + strings.Join(r.Suggestions, ", ")
		} else {
			r.Error.Hint = "help without a name lists the functions, notations and tools; atoms lists instructions"
		}
	}
	return r
}

// topic is the help of a tool.
func (t tool) topic() *service.Topic {
	topic := &service.Topic{Name: t.Name + ": " + t.Tool.Title, Doc: t.Tool.Doc, Lines: []string{"", "Arguments:"}}
	for _, a := range t.arguments() {
		topic.Lines = append(topic.Lines, linesOf(a, "  "+a.Name)...)
	}
	if t.Name == "draw" {
		topic.Lines = append(topic.Lines, "", "Kinds of pictures:")
		for _, p := range service.Pictures() {
			topic.Lines = append(topic.Lines, wrapText(p.Doc, "  "+p.Kind+": ")...)
		}
	}
	return topic
}

// argumentTopic is the help on an argument, with every distinct description in the tools; nil if no tool has
// the argument.
func argumentTopic(name string, all []tool) *service.Topic {
	topic := &service.Topic{Name: "The argument " + name}
	var said []string
	for _, t := range all {
		for _, a := range t.arguments() {
			if service.SameName(a.Name, name) && !slices.Contains(said, a.Doc) {
				said = append(said, a.Doc)
				topic.Lines = append(topic.Lines, linesOf(a, "  of "+t.Name)...)
			}
		}
	}
	if said == nil {
		return nil
	}
	return topic
}

// linesOf says what an argument takes.
func linesOf(a service.Argument, before string) []string {
	if a.Required {
		before += " (needed)"
	}
	text := a.Expectation() + ": " + a.Doc
	if len(a.Words) > 0 {
		text += "; one of " + service.NamesOf(a.Words)
	}
	return wrapText(text, before+": ")
}

// wrapText returns a text as lines.
func wrapText(text, before string) []string {
	return strings.Split(strings.TrimRight(service.Wrap(text, service.WideText, before, "    "), "\n"), "\n")
}
