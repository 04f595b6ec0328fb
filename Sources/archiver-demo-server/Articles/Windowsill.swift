extension DemoArticle {
  static let windowsill = DemoArticle(
    url: "https://onewindow.example.org/2025/a-year-of-weather",
    title: "What a year of weather looks like from one windowsill",
    siteName: "One Window", authors: ["Gareth Pell"], published: "2025-11-22",
    saved: "2025-11-30T09:54:40Z", labels: ["data", "weather"], readProgress: 70,
    summary: "A thermometer, a jam jar, a notebook, and twelve columns that turned into pictures.",
    cover: "ridgeline",
    html: """
      <section><article>
      <p>On the first of January last year I screwed a thermometer to the window frame and put a jam jar
      on the wall outside. Twice a day, at eight and at eight, I wrote down what they said. I had no
      question. I think I wanted to see if I would do it.</p>
      \(figure("ridgeline", "Twelve overlapping curves, blue for the winter months, orange for summer", "Temperatures by month, January at the top. Further to the right is warmer."))
      <h2>The table</h2>
      <p>Here is all of it, boiled down. It is wide; so was the year.</p>
      <table>
      <thead><tr><th>Month</th><th>Mean °C</th><th>Highest °C</th><th>On</th><th>Lowest °C</th>
      <th>On</th><th>Rain mm</th><th>Wet days</th><th>Longest dry</th><th>Frosts</th><th>Wind mostly</th>
      <th>Sun hours</th><th>First seen from the window</th></tr></thead><tbody>
      <tr><td>January</td><td>3.1</td><td>11.2</td><td>27</td><td>−7.4</td><td>9</td><td>71</td><td>17</td><td>6</td><td>14</td><td>NE</td><td>48</td><td>Snowdrops</td></tr>
      <tr><td>February</td><td>4.0</td><td>12.9</td><td>21</td><td>−5.0</td><td>3</td><td>52</td><td>13</td><td>8</td><td>10</td><td>E</td><td>71</td><td>A barn owl</td></tr>
      <tr><td>March</td><td>6.8</td><td>17.3</td><td>30</td><td>−2.1</td><td>6</td><td>58</td><td>14</td><td>7</td><td>5</td><td>W</td><td>112</td><td>Brimstone</td></tr>
      <tr><td>April</td><td>9.2</td><td>21.0</td><td>24</td><td>−0.6</td><td>11</td><td>44</td><td>11</td><td>12</td><td>1</td><td>SW</td><td>165</td><td>Swallow</td></tr>
      <tr><td>May</td><td>12.7</td><td>24.8</td><td>19</td><td>3.2</td><td>2</td><td>63</td><td>12</td><td>9</td><td>0</td><td>W</td><td>198</td><td>Swift</td></tr>
      <tr><td>June</td><td>15.9</td><td>29.6</td><td>26</td><td>7.7</td><td>8</td><td>79</td><td>10</td><td>11</td><td>0</td><td>SW</td><td>204</td><td>Glow-worm</td></tr>
      <tr><td>July</td><td>18.4</td><td>33.1</td><td>18</td><td>9.9</td><td>5</td><td>86</td><td>9</td><td>15</td><td>0</td><td>S</td><td>231</td><td>Hot-air balloon</td></tr>
      <tr><td>August</td><td>17.8</td><td>31.4</td><td>7</td><td>9.1</td><td>29</td><td>74</td><td>11</td><td>10</td><td>0</td><td>SW</td><td>207</td><td>Perseids, 41</td></tr>
      <tr><td>September</td><td>14.6</td><td>26.0</td><td>4</td><td>5.8</td><td>23</td><td>49</td><td>9</td><td>14</td><td>0</td><td>W</td><td>151</td><td>Geese, going</td></tr>
      <tr><td>October</td><td>10.9</td><td>19.5</td><td>10</td><td>1.3</td><td>28</td><td>91</td><td>18</td><td>4</td><td>0</td><td>W</td><td>98</td><td>Fieldfare</td></tr>
      <tr><td>November</td><td>6.7</td><td>14.4</td><td>2</td><td>−1.9</td><td>24</td><td>88</td><td>19</td><td>3</td><td>6</td><td>NW</td><td>60</td><td>First fire</td></tr>
      <tr><td>December</td><td>4.2</td><td>12.0</td><td>18</td><td>−4.8</td><td>30</td><td>77</td><td>18</td><td>5</td><td>9</td><td>SW</td><td>41</td><td>Snow, four flakes</td></tr>
      </tbody></table>
      <h2>The jar</h2>
      \(figure("rainfall", "Bar chart of rain by month, lowest in April and highest in October", "Millimetres in the jar. It froze and broke on the ninth of January; there was a second jar."))
      <p>I would have sworn that April was wet. Everyone would. It was the driest month of the year,
      with twelve days in a row when the jar had nothing in it but a ladybird. What April has is
      <em>showers</em>: it rains on eleven days, and on all eleven you are out. October just rains.</p>
      <h2>The squares</h2>
      \(figure("calendar", "A grid of 371 coloured cells, blue at both ends and red in the middle", "One square a day, from cold blue to warm red."))
      <p>When it was all written up, I coloured in a square for each day, on the back of a roll of lining
      paper, and hung it along the landing. Visitors find their birthday. Nobody yet has looked at the
      whole of it without putting a finger on some one square, and telling me what they did that
      day.</p>
      <p>I did turn out to have had a question. I am on my second notebook.</p>
      </article></section>
      """)
}
