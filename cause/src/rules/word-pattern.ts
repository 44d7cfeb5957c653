/** The words that trigger the patterns; four letters of each are enough. */
export const words = (
  "erro|err!|fail|fata|exce|pani|trac|caus|cann|can'|don'|coul|unab|not |no s|unde|unre|miss|deni|refu|reje|time|kill|oomk|memo|segm|" +
  'core|inva|unex|expe|asse|unkn|unsu|ille|conf|forb|unau|sign|leak|mism|corr|viol|over|divi|dead|perm|synt|unte|unbo|too |' +
  'must|requ|abor|e   |got:|--- |.go:|got |want|inco|unus|sibl|race|diff|woul|no m|no l|no t|no p|no r|no v|no c|no f|no d|no e|no a|no b|no i|no l|no g|no h|no o|no u|no w|remo|abor|issu|limi|budg|slow|stal|dirt|outd|unhe|heal| bad| dow|@@ -|stop|term|wron|brok|' +
  'does|already|dupl|multi|ambi|unte|impo|faul|unre|leng|larg|full|busy|bad |oom |ing:|crit|seve|emer|susp|sigs|siga|sigk|what|' +
  'xite|outs|out |undo|resol|recu|stac|null|nil |chec|vali|cove|thre|vuln|unsa|reformat|trai|whit|unre|shou|actu|line|warn|no n|n ex|fixa|sc20|sc10|sc21|sc11|dl30|need|igno|skip|prob|equa|emer|aler|usag|.ps1|sigs|desc|reas|deta|mess|tsec|ghsa|cve-|badm|bada|clau| != |expi|!== |viol|gave|givi|neve| [e]|cras|lock|spec'
).split('|')
