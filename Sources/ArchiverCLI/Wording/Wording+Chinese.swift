extension Wording {
  static let chinese = Wording(
    language: "zh",
    phrases: [
      .item: "%1 项", .items: "%1 项", .picture: "%1 张图片", .pictures: "%1 张图片",
      .listing: "正在列出：%1", .ofTotal: "%1 / %2", .progress: "%1/%2 项",
      .timeLeft: "约剩 %1", .failedCount: "%1 项失败", .missingCount: "缺 %1 张",
      .more: "另有 %1 项",
      .archived: "已归档 %1，用时 %2%3。", .nothingNew: "没有新内容%1（%2）。",
      .unchanged: "；%1 项未变",
      .pictureLacking: "%1 张图片无法获取；页面标出了原位置并附有链接。",
      .picturesLacking: "%1 张图片无法获取；页面标出了原位置并附有链接。",
      .notReady: "来源处尚未就绪：%1。",
      .waitsOne: "还有 1 项留待下次运行。", .waitsMany: "还有 %1 项留待下次运行。",
      .expired: "%1：按配置移除了 %2。",
      .wouldArchive: "将归档 %1；未写入任何内容。", .laterOne: "另有 1 项留待以后运行。",
      .laterMany: "另有 %1 项留待以后运行。",
      .failedItems: "%1：%2 失败；见 'archiver list --failed'。",
      .interrupted: "已中断；此前完成的内容均已保留。",
      .archive: "档案：%1", .source: "来源", .state: "状态", .size: "大小",
      .aMonth: "每月", .lastRun: "上次运行", .nextRun: "下次运行",
      .ok: "正常", .someFail: "部分失败", .failed: "来源故障",
      .running: "运行中", .notRun: "尚未运行", .disabled: "未启用",
      .stopped: "已中断", .died: "提前结束", .ago: "%1前", .ahead: "%1后",
      .justNow: "刚刚", .now: "现在", .never: "从未",
      .noSchedule: "没有安排运行。可试：archiver schedule install --at 03:30",
    ])
}
