package web_test

import (
	"encoding/json"
	"testing"

	"girih/internal/service"
)

// The Chinese words of forms are words that rows of the service have, and say all of the forms about memory and the
// titles of the others.
func TestFormWords(t *testing.T) {
	t.Parallel()
	var zh map[string]string
	decode(t, "ui/lang/zh_forms.json", &zh)
	var forms []service.FormInfo
	if err := json.Unmarshal(new(service.Session).Do("forms", []byte("{}")), &forms); err != nil {
		t.Fatal(err)
	}
	said, missing := map[string]bool{"": true}, []string{}
	say := func(text string, needed bool) {
		if !said[text] && needed && zh[text] == "" {
			missing = append(missing, text)
		}
		said[text] = true
	}
	for _, f := range forms {
		say(f.Subject, true)
		say(f.Title, true)
		say(f.Doc, f.Subject == "memory")
		for _, x := range f.Fields {
			say(x.Doc, f.Subject == "memory")
		}
	}
	if len(missing) > 0 {
		t.Errorf("without Chinese words: %q", missing)
	}
	for text := range zh {
		if !said[text] {
			t.Errorf("no form says %q", text)
		}
	}
}
